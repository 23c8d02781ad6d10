import pytest

from bert_keras.text.corpora import chinese_reviews, peoples_daily
from bert_keras.text.corpora.archives import CorpusError


@pytest.fixture(scope="session")
def newspaper():
    try:
        return peoples_daily.load()
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def reviews():
    try:
        return chinese_reviews.load()
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def corpus_sample(newspaper, reviews):
    texts = [p.text for rows in newspaper.values() for p in rows[::9]]
    return texts + [r.text for rows in reviews.values() for r in rows[::9]]
