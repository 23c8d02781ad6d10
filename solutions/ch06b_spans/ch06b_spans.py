# %% [markdown] lang="zh"
r"""
# 6b 句子里面的答案：从词元到片段

上一章的答案都是给整句的：一个类，一个分数。可是很多问题的答案就在句子**里面**：哪几个字是人名，哪一段回答了问题，“它”指的是前面哪一个。

骨干还是那个骨干，这回每个词元的状态都要用上。头也简单，往往只是一个全连接层；难的是头的**前后**：

- **前**：人给的标签是按词给的，模型读的是子词；文章太长，一行放不下。
- **后**：模型给的是一个个词元的分数，人要的是一整段：从哪里到哪里，算不算一个合法的名字、合法的答案。
- **评分**：差一个字，算不算对？

这些地方没有一处用得上 GPU，却是真正做起来最容易出错的地方：代码照样跑，分数悄悄地低。这一章就来写这些：对齐标签，读出片段，按片段评分，用 Viterbi 找一条合法的路，给长文章开窗，找出最好的一段答案，还有给“它”找主人。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `align_labels` | 5 | 15 | 核心 | 标签跟着第一个子词；别处是 −1 | 手写的词和标签 |
| `bio_spans` | 4 | 12 | 核心 | 末端不含；没有 B 的 I 自己开头 | 标签的列表 |
| `span_f1` | 4 | 12 | 核心 | 种类和两端都对才算；所有句子合起来算；0/0 = 0 | 片段的列表 |
| `viterbi_decode` | 7 | 25 | 核心 | 转移 [前, 后]；−∞ 表示不许 | 随机分数 |
| `qa_windows` | 6 | 18 | 核心 | stride 是步长，不是重叠；末端不含 | 整数列表 |
| `best_span` | 6 | 18 | 核心 | 答案两端都含；空答案的分数在 [CLS] | 随机分数 |
| `coreference_pair_features` | 4 | 12 | 核心 | 提及 = 它的词元的平均；代词在先 | 随机张量 |
| `drill_ch06b_spans` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch06b_spans` | 0 | 12 | 核心 | 老师评阅，不计入 42 分 | 本章的图和数字 |

核心练习 42 分。只做练习两小时多一点，连同实验不到三小时；6b.6 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 6b Answers inside a sentence: from tokens to spans

All answers of the last notebook were for a whole sentence: a class, a score. But many answers stand **inside** it: which words are a name, which stretch answers a question, who is meant by "it".

The backbone is the same, but this time the state of every token is used. The head is simple, too, often a single dense layer. What is hard comes **before and after** it:

- **Before**: people label words, a model reads pieces of words; and a text may be too long for one row.
- **After**: a model scores single tokens, and what one wants is a stretch: from where to where, and is it a legal name, a legal answer?
- **Scoring**: if one word is missing, does it count?

None of this needs a GPU, and in practice nothing goes wrong more easily: the code runs, and the score is quietly low. So that is what you write here: align labels, read off spans, score by spans, find a legal path with Viterbi, lay windows over a long text, find the best answer, and find out who "it" is.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `align_labels` | 5 | 15 | core | the first piece carries the label; elsewhere −1 | words and labels by hand |
| `bio_spans` | 4 | 12 | core | ends are exclusive; an I without a B begins a span | lists of tags |
| `span_f1` | 4 | 12 | core | right if kind and both ends are; all sentences together; 0/0 = 0 | lists of spans |
| `viterbi_decode` | 7 | 25 | core | transitions [before, after]; −∞ forbids | random scores |
| `qa_windows` | 6 | 18 | core | the stride is a step, not an overlap; ends are exclusive | lists of ints |
| `best_span` | 6 | 18 | core | both ends belong to the answer; "no answer" is scored at [CLS] | random scores |
| `coreference_pair_features` | 4 | 12 | core | a mention is the mean of its tokens; the pronoun comes first | random tensors |
| `drill_ch06b_spans` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch06b_spans` | 0 | 12 | core | read by your teacher, not part of the 42 points | the pictures and numbers of this notebook |

42 core points. The exercises take a little over two hours, with the experiments not quite three; just before 6b.6 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 6b.1 名字在哪里

今天的第一件活：在《人民日报》（1998 年 1 月）里找人名、地名、机构名。这叫**命名实体识别**（named entity recognition，NER）。每个字一个标签，下面画的是三句测试里的话，底色是人标的名字，下面写着种类。
"""

# %% [markdown] lang="en"
r"""
## 6b.1 Where are the names?

The first job: find persons, places and organisations in sentences, which is called **named entity recognition** (NER). Every word has a tag. No English set of names can be had offline, so the sentences are made by a program; no name and no sentence form of the test was seen in training, which makes it a fair exercise, though no evidence about real newspapers. The test has three forms of sentences; here is one of each, with the names in colour and their kinds below.
"""

# %% tags=["experiment"]
from bert_keras.analysis.span_lines import span_lines
from bert_keras.text.corpora import bars, generated_entities, named_entities
from bert_keras.text.corpora.labelled import entities

GAP = {"zh": 0, "en": 9}[LANG]  # between words in pictures
LENGTH = {"zh": 48, "en": 40}[LANG]  # of a row
shown, dictionary_f1 = [], None  # filled by the next cell


def some_of(rows, count):
    """Sentences that are not too long, drawn by lot."""
    short = [row for row in rows if len(row.tokens) <= LENGTH - 2]
    return [short[i] for i in np.random.default_rng(0).permutation(len(short))[:count]]


# %% tags=["experiment"]
names = named_entities.load() if LANG == "zh" else generated_entities.load(language="en")
train_rows, test_rows = some_of(names["train"], 4000), some_of(names["test"], 500)
marked_rows = {row.tags: row for row in test_rows if entities(row.tags)}  # one for each row of tags
# Those with several names come first.
shown = sorted(marked_rows.values(), key=lambda row: len(entities(row.tags)) < 2)[:3]
groups = []
for number, row in enumerate(shown, 1):
    marked = [(kind, start, end) for start, end, kind in sorted(entities(row.tags))]
    groups.append((str(number), row.tokens, marked))
display(span_lines(groups, gap=GAP))
print(*(f"{token}/{tag}" for token, tag in zip(shown[0].tokens, shown[0].tags)))
outside = np.mean([tag == "O" for row in test_rows for tag in row.tags])
dictionary_f1 = bars.longest_match({"train": train_rows, "test": test_rows})
say(
    f"{len(train_rows)} 句训练，{len(test_rows)} 句测试；测试里 {outside:.1%} 的字是 O",
    f"{len(train_rows)} sentences to train on, {len(test_rows)} to test on; "
    f"{outside:.1%} of the test's words are O",
)
say(
    f"把训练里见过的名字找出来（取最长的）：F1 {dictionary_f1:.3f}",
    f"finding the names of training again (the longest match): F1 {dictionary_f1:.3f}",
)

# %% [markdown] lang="zh"
r"""
上面最后一行是一条基线：把训练里见过的名字记成一本词典，测试时取最长的匹配。报纸上的地名、人名翻来覆去就是那些，这本词典并不弱。

**想一想**：一个对什么都说 `O` 的“模型”，字的准确率有多高？（答案就在上面打印的几行里。）它找到了几个名字？所以这种任务不能按字的准确率评分，要按**整个名字**评分：F1，6b.3 就写它。
"""

# %% [markdown] lang="en"
r"""
The last line above is a baseline: keep a dictionary of all names seen in training, and take the longest match. Here it finds nothing, since all names of the test are new; in a real newspaper the same names come back again and again, and it is hard to beat.

**Think**: how accurate by words is a "model" that says `O` to everything? (The lines above tell you.) And how many names has it found? That is why such a task isn't scored by the accuracy of words but by **whole names**, with the F1 that you write in 6b.3.
"""

# %% [markdown] lang="zh"
r"""
## 6b.2 练习：词的标签，子词的位置

标签是给**词**的，词表却会把词切开：`unbelievable` 也许是 `un ##believ ##able` 三个子词。三个位置，一个标签，给谁？原来的 BERT 的办法：**第一个子词**代表整个词，标签给它；后面的子词、[CLS]、[SEP]、填充都**不判**，标签写一个约定的数（这里是 −1），算损失和评分时跳过。

| 词元 | [CLS] | jim | hen | ##son | [SEP] | [PAD] |
|---|---|---|---|---|---|---|
| 标签 | −1 | 5 | 6 | −1 | −1 | −1 |

写 `align_labels(words, labels, tokenize, max_sequence_length, ignore=-1)`：

| 参数 | 说明 |
|---|---|
| `words` | 字符串的列表，一句话的词（中文是一个个字），可能是空的 |
| `labels` | 整数的列表，每个词一个，和 `words` 一样长 |
| `tokenize` | `tokenize(word)` 返回这个词的子词，字符串的列表。**可能是空的**（比如这个词只是一个控制字符）：这时这个词算作一个子词 `"[UNK]"` |
| `max_sequence_length` | 整数 T，一行的长度，至少 2 |
| `ignore` | 整数，不判的位置上写什么 |

- 一行是 `"[CLS]"`、所有子词、`"[SEP]"`，然后是填充。
- 放不下就从后面裁：先裁子词，再加 `"[SEP]"`，子词至多留 T − 2 个。一个词可能只剩下前几个子词，只要第一个子词还在，它的标签就在；第一个子词裁掉了，标签也跟着没有。
- **返回**两样：`pieces`，字符串的列表，含 `"[CLS]"` 和 `"[SEP]"`，**不含填充**，至多 T 个；标签，整数的列表，**总是 T 个**，第 i 个是第 i 个位置的标签。
- 传进来的列表别改动。
"""

# %% [markdown] lang="en"
r"""
## 6b.2 Exercise: labels of words, places of pieces

A label belongs to a **word**, but the vocabulary may cut it: `unbelievable` is perhaps three pieces, `un ##believ ##able`. There are three places and one label; who gets it? As the original BERT does it, the **first piece** stands for the word and gets the label. Later pieces, [CLS], [SEP] and padding are **not judged**: their label is an agreed number (here −1), and loss and score skip them.

| Token | [CLS] | jim | hen | ##son | [SEP] | [PAD] |
|---|---|---|---|---|---|---|
| Label | −1 | 5 | 6 | −1 | −1 | −1 |

Write `align_labels(words, labels, tokenize, max_sequence_length, ignore=-1)`:

| Argument | Notes |
|---|---|
| `words` | list of str, the words of a sentence (in Chinese, its characters); may be empty |
| `labels` | list of ints, one for each word, as long as `words` |
| `tokenize` | `tokenize(word)` returns the pieces of a word, a list of str. **It may be empty** (when the word is a mere control character): then the word counts as one piece, `"[UNK]"` |
| `max_sequence_length` | int, the length T of a row, at least 2 |
| `ignore` | int, what to write where nothing is judged |

- A row is `"[CLS]"`, all pieces, `"[SEP]"`, and then padding.
- What doesn't fit is cut at the end: first the pieces are cut, then `"[SEP]"` is added, so at most T − 2 pieces stay. A word may lose its later pieces; as long as its first piece is there, so is its label. When the first piece is cut off, the label goes with it.
- **Returns** two things: `pieces`, a list of str with `"[CLS]"` and `"[SEP]"` and **without padding**, T at most; and the labels, a list of ints, **always T of them**, number i for place i.
- Don't change the lists that you are handed.
"""


# %% exercise="align_labels"
def align_labels(words, labels, tokenize, max_sequence_length, ignore=-1):
    """Cut words into the pieces of one row, and put each word's label on its first piece.

    Args:
        words: list of str.
        labels: list of ints, one for each word.
        tokenize: callable, a word to the list of its pieces, str; empty means one unknown piece.
        max_sequence_length: int, the length T of a row, at least 2.
        ignore: int, the label of places that are not judged.

    Returns:
        The pair of a list of str, at most T pieces with [CLS] and [SEP]; and a list of T ints,
        the labels of all places of the row.
    """
    ### BEGIN SOLUTION
    pieces, row = [], []
    for word, label in zip(words, labels):
        cut = tokenize(word) or ["[UNK]"]
        pieces += cut
        row += [label] + [ignore] * (len(cut) - 1)
    room = max_sequence_length - 2
    kept, row = pieces[:room], row[:room]
    padding = max_sequence_length - 1 - len(row)  # places after the words, [SEP] among them
    return ["[CLS]", *kept, "[SEP]"], [ignore, *row] + [ignore] * padding
    ### END SOLUTION


# %% check="align_labels"
check("align_labels", align_labels)

# %% [markdown] lang="zh"
r"""
**看一看。** 三个词，切成五个子词；一行分别有 10、7 和 5 个位置。三行里标签各在哪里？先在纸上写，再运行。
"""

# %% [markdown] lang="en"
r"""
**See it.** Three words become five pieces; rows have 10, 7 and 5 places. Where are the labels in each? Write them down first, then run.
"""

# %%
CUTS = {"jim": ["jim"], "henson": ["hen", "##son"], "puppeteers": ["puppet", "##eers"]}
if ready("align_labels"):
    for length in (10, 7, 5):
        cut, row = align_labels(list(CUTS), [5, 6, 0], CUTS.get, length)
        print(length, *(f"{p}:{n}" for p, n in zip(cut + ["[PAD]"] * 9, row)))

# %% [markdown] lang="zh"
r"""
另一种约定也常见：后面的子词也给标签，`B-` 的词后面写 `I-`。两种都行，就怕两样混着来：训练时每个子词都写 `B-`，一个名字就成了好几个；或者子词裁短了，标签没跟着裁，标签就落到了 [SEP] 上，行也比 T 长；切不出子词的词占不到位置、标签却还在，从那里往后就全错了位。中文按字切，一个字差不多就是一个词元，这一步容易被忘掉，直到句子里出现英文和数字。
"""

# %% [markdown] lang="en"
r"""
Another convention is common, too: later pieces get labels as well, `I-` after a word with `B-`. Either will do; what won't is a mixture. If every piece is labelled `B-`, one name becomes several; if pieces are cut to length and labels are not, a label lands on [SEP] and the row is longer than T; and if a word without pieces gets no place but keeps its label, everything behind it is shifted.
"""

# %% [markdown] lang="zh"
r"""
## 6b.3 练习：从标签到片段，再到分数

### 读出片段

BIO 的规矩：`B-PER` 是一个人名的第一个字，`I-PER` 是后面的字，`O` 在名字外面。人写的标签守规矩，模型可不一定：`I-LOC` 也许接在 `O` 后面，也许接在 `B-PER` 后面。读的人得先说好怎么办。这里按 CoNLL 评分程序的办法：**接不上的 I 自己开一个新片段**。

写 `bio_spans(tags)`：

- `tags`：字符串的列表，每个是 `"O"`、`"B-kind"` 或 `"I-kind"`（kind 是种类），可能是空的。种类是**第一个** `-` 后面的全部，里面可以再有 `-`（如 `"B-work-of-art"` 的种类是 `"work-of-art"`）。
- `B-` 总是开始一个新片段，哪怕紧挨着同种的片段。
- `I-` 接在同种类的片段后面，是它的一部分；在别处（`O` 后面、别的种类后面、句首）就开始一个新片段。
- **返回** `(kind, start, end)` 的列表，按在句中的次序；kind 是种类，start 是片段里第一个标签的位置，从 0 数起，end 是最后一个标签的位置**加 1**（末端不含）。
"""

# %% [markdown] lang="en"
r"""
## 6b.3 Exercises: from tags to spans, and to a score

### Reading off spans

By the rules of BIO, `B-PER` is the first word of a person's name, `I-PER` a later one, and `O` is outside of names. Tags that people write keep the rules; a model may not: it may say `I-LOC` after `O`, or after `B-PER`. Whoever reads them has to say beforehand what that means. Here we do what CoNLL's scoring script does: **an I that continues nothing begins a span of its own**.

Write `bio_spans(tags)`:

- `tags`: list of str, each of them `"O"`, `"B-kind"` or `"I-kind"`; may be empty. The kind is all that follows the **first** `-`, and may have more of them (that of `"B-work-of-art"` is `"work-of-art"`).
- A `B-` always begins a new span, even right after a span of its kind.
- An `I-` right after a span of its kind is part of it; anywhere else (after `O`, after another kind, at the start) it begins a new span.
- **Returns** a list of `(kind, start, end)`, in their order in the sentence; start is the place of the first word, from 0, and end the place of the last one **plus 1** (exclusive).
"""


# %% exercise="bio_spans"
def bio_spans(tags):
    """Read the spans off BIO tags; an I that continues nothing begins a span.

    Args:
        tags: list of str, "O", "B-kind" or "I-kind".

    Returns:
        list of (kind, start, end): a str and two ints, end exclusive.
    """
    ### BEGIN SOLUTION
    spans = []
    open_kind = None  # of the span that the next tag may continue
    for place, tag in enumerate(tags):
        prefix, _, kind = tag.partition("-")
        if prefix == "O":
            open_kind = None
        elif prefix == "I" and kind == open_kind:
            spans[-1] = (kind, spans[-1][1], place + 1)
        else:
            spans.append((kind, place, place + 1))
            open_kind = kind
    return spans
    ### END SOLUTION


# %% check="bio_spans"
check("bio_spans", bio_spans)

# %% [markdown] lang="zh"
r"""
### 按片段评分

写 `span_f1(gold, predicted)`：

- `gold`、`predicted`：列表，每句话一项，两个列表一样长；一项是这句话的片段 `(kind, start, end)` 的列表，可能是空的，次序不限。
- 模型说的一个片段，只有**同一句**的 `gold` 里有一个和它种类相同、两端都相同的，才算对。差一个字就是错。
- 一句里同一个片段写了两遍，只算一遍（`gold` 里也一样）。
- 所有句子**合起来**数（micro）：精确率 = 对的个数 / 模型说的个数，召回率 = 对的个数 / 正确片段的个数，$F_1 = 2PR/(P+R)$。分母是 0，结果就是 0。
- **返回** `(precision, recall, f1)`，三个 Python 的 float。
"""

# %% [markdown] lang="en"
r"""
### Scoring by spans

Write `span_f1(gold, predicted)`:

- `gold`, `predicted`: lists with one entry a sentence, of the same length; an entry is the list of the sentence's spans `(kind, start, end)`, in any order, possibly empty.
- A predicted span is right only if the `gold` of **the same sentence** has one of the same kind with the same two ends. One word more or less is wrong.
- A span that is listed twice in a sentence counts once (in `gold`, too).
- Counts are taken over all sentences **together** (micro): precision = right ones / predicted ones, recall = right ones / gold ones, $F_1 = 2PR/(P+R)$. Where the divisor is 0, the result is 0.
- **Returns** `(precision, recall, f1)`, three Python floats.
"""


# %% exercise="span_f1"
def span_f1(gold, predicted):
    """Precision, recall and F1 of whole spans, counted over all sentences.

    Args:
        gold: list of lists of (kind, start, end), one list for each sentence.
        predicted: list of as many such lists.

    Returns:
        The triple (precision, recall, f1) of floats from 0 to 1; 0 divided by 0 is 0.
    """
    ### BEGIN SOLUTION
    right = said = wanted = 0
    for truth, guess in zip(gold, predicted):
        right += len(set(truth) & set(guess))
        said += len(set(guess))
        wanted += len(set(truth))
    precision = right / said if said else 0.0
    recall = right / wanted if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, f1
    ### END SOLUTION


# %% check="span_f1"
check("span_f1", span_f1)

# %% [markdown] lang="zh"
r"""
**看一看。** 同一句话，两个名字，四种回答。先猜每一种的 F1，再运行。
"""

# %% [markdown] lang="en"
r"""
**See it.** One sentence with two names, and four answers. Guess the F1 of each, then run.
"""

# %%
if ready("bio_spans", "span_f1"):
    right = "B-PER I-PER O O B-ORG I-ORG O".split()
    answers = [
        "B-PER I-PER O O B-ORG I-ORG O",
        "B-PER I-PER O O B-ORG O O",
        "B-PER I-PER O O B-LOC I-LOC O",
        "O O O O O O O",
    ]
    for answer in answers:
        tags = answer.split()
        same = np.mean([one == two for one, two in zip(right, tags)])
        precision, recall, f1 = span_f1([bio_spans(right)], [bio_spans(tags)])
        figures = f"P {precision:.2f}  R {recall:.2f}  F1 {f1:.2f}"
        say(f"{answer:32} 字 {same:.2f}  {figures}", f"{answer:32} words {same:.2f}  {figures}")

# %% [markdown] lang="zh"
r"""
## 6b.4 用一用：训练一个标注器

骨干还是两个块、隐藏维度 64，从头开始（没有预训练）；头是库里的 `TokenClassifier`，每个词元的状态过一个全连接层，变成每种标签一个 logit。标签由你的 `align_labels` 放好，读出和评分用 `bio_spans` 和 `span_f1`。4000 句，5 轮，半分钟到一分半，看电脑忙不忙。

**先猜**：字的准确率和名字的 F1，哪个高？差多少？能不能超过那本词典？
"""

# %% [markdown] lang="en"
r"""
## 6b.4 Use it: train a tagger

The backbone has two blocks of hidden size 64 again, from scratch, with no pretraining; the head is the library's `TokenClassifier`, a dense layer from the state of each token to one logit for each tag. Your `align_labels` puts the labels in their places, and `bio_spans` and `span_f1` read and score. There are 3000 sentences and 5 epochs, half a minute to a minute and a half, depending on how busy the computer is.

**Predict**: which is higher, the accuracy of words or the F1 of names? By how much? And does it find names that it has never seen?
"""

# %% tags=["experiment"]
from bert_keras.models.token_tasks import TokenClassifier
from bert_keras.text import packing
from bert_keras.text.vocabulary import (
    SPECIAL_TOKENS,
    Vocabulary,
    build_character_vocabulary,
    train_wordpiece_vocabulary,
)
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import encoders, optimizers, small_bert
from bert_keras.training.sections import ModelSection

TAGS = sorted({tag for row in train_rows for tag in row.tags}) if shown else []
test_logits, test_labels = None, None  # filled by the next cell


def new_backbone(vocabulary_size, length):
    """A small BERT without dropout."""
    sizes = {"hidden_dim": 64, "max_sequence_length": length}
    return encoders.build_backbone(ModelSection(**small_bert.NANO | sizes), vocabulary_size)


def optimizer_for(steps, rate):
    """AdamW with a rate that rises over the first steps and then falls to zero."""
    schedule = optimizers.WarmupLinearDecay(rate, max(1, steps // 20), steps)
    return optimizers.AdamW(schedule, weight_decay=0.01, beta_2=0.98, global_clipnorm=1.0)


def predicted(model, arrays):
    """What a model gives for all rows, without dropout."""
    return model.predict(arrays, batch_size=250, verbose=0)


def read_tags(logits, labels, rows, decode):
    """Tags of words: `decode` gets the logits at first pieces; words that were cut off are O."""
    found = []
    for scores, row, sentence in zip(logits, labels, rows):
        tags = [TAGS[number] for number in decode(scores[row >= 0])]
        found.append(tags + ["O"] * (len(sentence.tokens) - len(tags)))
    return found


def best_of_each(scores):
    """The best tag at each place by itself."""
    return scores.argmax(axis=-1)


def tag_scores(found, rows):
    """Accuracy of words, and precision, recall and F1 of names."""
    gold = [bio_spans(list(row.tags)) for row in rows]
    same = [tag == one for tags, row in zip(found, rows) for tag, one in zip(tags, row.tags)]
    return float(np.mean(same)), *span_f1(gold, [bio_spans(tags) for tags in found])


# %% tags=["experiment"]
if shown and ready("align_labels", "bio_spans", "span_f1"):
    if LANG == "zh":
        every_character = (token for row in train_rows for token in row.tokens)
        vocabulary = build_character_vocabulary(every_character, size=4000, minimum_count=2)
    else:
        every_sentence = [" ".join(row.tokens) for row in train_rows]
        vocabulary = train_wordpiece_vocabulary(every_sentence, size=600, minimum_count=2)
    tokenizer = WordPieceTokenizer(vocabulary)

    def tag_arrays(rows):
        """Sentences as inputs and labels."""
        lines, labels = [], []
        for row in rows:
            numbers = [TAGS.index(tag) for tag in row.tags]
            cut, aligned = align_labels(list(row.tokens), numbers, tokenizer.tokenize, LENGTH)
            lines.append((vocabulary.ids(cut[1:-1]), None))
            labels.append(aligned)
        return packing.pack_batch(lines, vocabulary, LENGTH), np.array(labels, "int32")

    arrays, labels = tag_arrays(train_rows)
    test_arrays, test_labels = tag_arrays(test_rows)
    print(*vocabulary.words(arrays["token_ids"][0, :14]))
    print(*(TAGS[number] if number >= 0 else "–" for number in labels[0, :14]))
    EPOCHS, BATCH = 5, 64
    keras.utils.set_random_seed(0)
    tagger = TokenClassifier(new_backbone(len(vocabulary), LENGTH), len(TAGS), dropout=0.1)
    steps = EPOCHS * -(-len(labels) // BATCH)
    tagger.compile(optimizer=optimizer_for(steps, 3e-3), jit_compile=False)
    for epoch in range(1, EPOCHS + 1):
        tagger.fit(arrays, labels, batch_size=BATCH, verbose=0)
        test_logits = predicted(tagger, test_arrays)
        tagged = read_tags(test_logits, test_labels, test_rows, best_of_each)
        accuracy, precision, recall, f1 = tag_scores(tagged, test_rows)
        figures = f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}"
        say(
            f"第 {epoch} 轮：字的准确率 {accuracy:.3f}；名字 {figures}",
            f"epoch {epoch}: accuracy of words {accuracy:.3f}; names {figures}",
        )
    say(
        f"词典 F1 {dictionary_f1:.3f}；全说 O：准确率 {outside:.3f}，F1 0",
        f"dictionary F1 {dictionary_f1:.3f}; all O: accuracy {outside:.3f}, F1 0",
    )
    groups = []
    for number, row in enumerate(shown, 1):
        guess = tagged[test_rows.index(row)]
        groups.append((f"{number} {text('正确', 'gold')}", row.tokens, bio_spans(list(row.tags))))
        groups.append((f"{number} {text('模型', 'model')}", row.tokens, bio_spans(guess)))
    display(span_lines(groups, gap=GAP))

# %% [markdown] lang="zh"
r"""
错的名字错在哪里？分四种数一数：两端都对、种类错了；碰到了、两端没对上；正确的名字完全没碰到；模型凭空造了一个。**先猜**：哪一种最多？
"""

# %% [markdown] lang="en"
r"""
What is wrong with the wrong names? Count four kinds: both ends right but not the kind; a stretch that touches the name but has other ends; a name that nothing touches; and a name made out of nothing. **Predict**: which is commonest?
"""

# %% tags=["experiment"]
if test_logits is not None:
    kinds = {"kind": 0, "ends": 0, "missed": 0, "invented": 0}

    def touches(one, two):
        return one[1] < two[2] and two[1] < one[2]

    for row, tags in zip(test_rows, tagged):
        gold, guess = bio_spans(list(row.tags)), bio_spans(tags)
        for span in gold:
            others = [one for one in guess if touches(span, one)]
            if span in guess:
                continue
            if not others:
                kinds["missed"] += 1
            else:
                kinds["kind" if any(one[1:] == span[1:] for one in others) else "ends"] += 1
        kinds["invented"] += sum(not any(touches(one, span) for span in gold) for one in guess)
    meaning = {
        "kind": ("种类错了", "the wrong kind"),
        "ends": ("两端没对上", "other ends"),
        "missed": ("没找到", "missed"),
        "invented": ("凭空造的", "invented"),
    }
    for name, count in kinds.items():
        print(f"{count:4}", text(*meaning[name]))

# %% [markdown] lang="zh"
r"""
输给词典也别奇怪：从头开始，4000 句，才学了 5 轮，而报上的名字一再出现，正是词典的长处。读过很多文字的骨干会怎样，见 6b.5 末尾和 6b.9。

还有一件事看得出来：模型的每个字都是**自己**挑的标签，互相不商量。一个五个字的名字，四个字对了，一个字错了，字的准确率还有 0.8，这个名字却没了。下一节就让它们商量。
"""

# %% [markdown] lang="en"
r"""
This tagger started from scratch and learnt for some seconds; the names of training are few and come again and again, so it may know them by heart and be lost without them. (Look at the epochs: if an early one was better than the last, that is how it shows.) What a backbone does that has read much before is at the end of 6b.5, and, for a real newspaper, in 6b.9.

One more thing shows: the model picks a tag for each word **by itself**; the words don't confer. In a name of five words, four right and one wrong is an accuracy of 0.8, and the name is lost. In the next section they confer.
"""

# %% [markdown] lang="zh"
r"""
## 6b.5 练习：一条合法的路

逐个取最高分，会挑出 `O` 后面跟 `I-PER` 这样的不合法的一串。一个办法是事后修补；更好的办法是一开始就只在**合法的路**里挑总分最高的一条。路怎么走，用一张转移表说：每一对（前，后）加一个分数，−∞ 就是不许。

路有 $C^T$ 条：7 种标签、20 个字，就有 $7^{20}$ 条，比 $10^{16}$ 还多。好在不用一条条试。站在第 t 个位置的标签 j 上，**以后的事只看 j，不看怎么来的**；所以到 j 的路里，只要记住最好的一条：

$$\text{best}_t[j] = \text{scores}[t, j] + \max_i \left(\text{best}_{t-1}[i] + \text{transitions}[i, j]\right)$$

再记下那个 i 是谁。走到最后，挑最好的一个，倒着一步步问“你从哪里来”，路就出来了。这是 **Viterbi 算法**（1967 年，本来是给无线电纠错用的）。
"""

# %% [markdown] lang="en"
r"""
## 6b.5 Exercise: a legal path

Taking the best tag at each place can give a sequence that is not legal, such as `I-PER` after `O`. One may mend it afterwards; better to choose, from the beginning, among **legal paths** only, the one with the highest total. A table of transitions says where a path may go: every pair (before, after) adds a score, and −∞ forbids.

There are $C^T$ paths: with 7 tags and 20 words $7^{20}$, more than $10^{16}$. But you needn't try them. Standing on tag j at place t, **what is still to come depends on j, and not on how you got there**; so of all paths to j only the best has to be remembered:

$$\text{best}_t[j] = \text{scores}[t, j] + \max_i \left(\text{best}_{t-1}[i] + \text{transitions}[i, j]\right)$$

and which i it was. At the end, take the best tag and go back step by step, asking "where did you come from?" That is the **Viterbi algorithm** (of 1967, made to correct errors in radio).
"""

# %% [markdown] lang="zh"
r"""
写 `viterbi_decode(scores, transitions, starts)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `scores` | (T, C) | 浮点数组，第 t 个位置、每种标签的分数，都是有限的数，T ≥ 1 |
| `transitions` | (C, C) | 浮点数组，`transitions[before, after]`：前一个标签是 before、后一个是 after 时加上的分数；−∞ 表示不许 |
| `starts` | (C,) | 浮点数组，标签在句首时加上的分数；−∞ 表示不许 |

- 一条路是每个位置一个标签：$y_0, \dots, y_{T-1}$。它的分数是

$$\text{starts}[y_0] + \sum_{t=0}^{T-1} \text{scores}[t, y_t] + \sum_{t=1}^{T-1} \text{transitions}[y_{t-1}, y_t]$$

- **返回**分数最高的那条路：T 个 Python 整数的列表。至少有一条路是许可的；一样好的路，给哪一条都行。
- 路有 $C^T$ 条，不能一条条试：时间只许 $T C^2$。用 NumPy；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
Write `viterbi_decode(scores, transitions, starts)`:

| Argument | Shape | Notes |
|---|---|---|
| `scores` | (T, C) | float array, the score of every tag at place t, all of them finite, T ≥ 1 |
| `transitions` | (C, C) | float array; `transitions[before, after]` is added where tag after follows tag before; −∞ forbids |
| `starts` | (C,) | float array, added for the tag at the first place; −∞ forbids |

- A path has one tag at every place: $y_0, \dots, y_{T-1}$. Its score is

$$\text{starts}[y_0] + \sum_{t=0}^{T-1} \text{scores}[t, y_t] + \sum_{t=1}^{T-1} \text{transitions}[y_{t-1}, y_t]$$

- **Returns** the path with the highest score, as a list of T Python ints. At least one path is allowed; of equally good ones you may give any.
- There are $C^T$ paths, too many to try: the time allowed is of the order of $T C^2$. Use NumPy; don't change the arrays that you are handed.
"""


# %% exercise="viterbi_decode"
def viterbi_decode(scores, transitions, starts):
    """Find the sequence of tags with the highest sum of scores and transitions.

    Args:
        scores: float array of shape (T, C), of every tag at every place, T at least 1.
        transitions: float array of shape (C, C), added for [before, after]; -inf forbids.
        starts: float array of shape (C,), added at the first place.

    Returns:
        list of T ints.
    """
    ### BEGIN SOLUTION
    best = scores[0] + starts  # (C,), of all paths that end in each tag
    came_from = []
    for now in scores[1:]:
        ways = best[:, None] + transitions  # (C, C), [before, after]
        came_from.append(ways.argmax(axis=0))  # (C,)
        best = ways.max(axis=0) + now  # (C,)
    path = [int(best.argmax())]
    for before in reversed(came_from):
        path.append(int(before[path[-1]]))
    return path[::-1]
    ### END SOLUTION


# %% check="viterbi_decode"
check("viterbi_decode", viterbi_decode)

# %% [markdown] lang="zh"
r"""
**看一看。** 四个字，三种标签，分数写在圈里。先自己走一走：每个字取最高的是哪一串？合法吗？合法的里面总分最高的是哪一串？图上蓝线是你的 Viterbi，橙色虚线是逐个取最高；叉是不许走的一步。
"""

# %% [markdown] lang="en"
r"""
**See it.** Four words and three tags, with the scores in the nodes. Walk it first: which sequence takes the best at each place? Is it legal? Which legal one has the highest total? In the picture the blue line is your Viterbi, the dashed orange one takes the best at each place; a cross is a step that is not allowed.
"""

# %% tags=["experiment"]
from bert_keras.analysis.tag_trellis import tag_trellis
from bert_keras.text.word_labels import legal_transitions


def as_scores(allowed):
    """0 where a step is allowed, minus infinity where it isn't."""
    return np.where(allowed, 0.0, -np.inf)


if ready("viterbi_decode", "bio_spans"):
    few_tags = ["O", "B-PER", "I-PER"]
    few_words = {"zh": list("王小明说"), "en": ["Anna", "van", "Baker", "said"]}[LANG]
    few_scores = np.array([[1.0, 1.2, -1], [1.1, -0.5, 1.0], [0.2, -0.3, 1.5], [2.0, -1, -1]])
    begins, follows = (as_scores(one) for one in legal_transitions(few_tags))
    paths = viterbi_decode(few_scores, follows, begins), list(few_scores.argmax(axis=1))
    path_names = "Viterbi", text("逐个取最高", "the best at each place")
    display(tag_trellis(few_words, few_tags, few_scores, follows, begins, paths, path_names))
    for name, path in zip(path_names, paths):
        total = sum(few_scores[place, tag] for place, tag in enumerate(path))
        read = bio_spans([few_tags[tag] for tag in path])
        say(f"{name}：总分 {total:.1f}，名字 {read}", f"{name}: total {total:.1f}, names {read}")

# %% [markdown] lang="zh"
r"""
合法的路总分低一点，可是名字只有一个，而且是完整的：第二个字自己觉得像 `O`，差得不多，左右两边一商量，就改了主意。

**用一用。** 把 6b.4 的 logits 再读三遍，模型一点不变，只换转移表：

1. 全是 0，等于逐个取最高；
2. 只有合法不合法（0 和 −∞）；
3. 再加上数出来的：训练的标签里，前一个是 i 时后一个是 j 的概率，是 j 本身概率的几倍，取对数。

**先猜**：F1 会怎样变？不合法的句子各有多少？
"""

# %% [markdown] lang="en"
r"""
The legal path has a slightly lower total, but there is one name in it, and it is whole: the second word by itself thought it was an `O`, if only just, and changed its mind once the words on both sides were heard.

**Use it.** Read the logits of 6b.4 three times more; the model is the same, only the transitions differ:

1. all of them 0, which is the same as taking the best at each place;
2. nothing but legal or not (0 and −∞);
3. and, on top of that, counted ones: the logarithm of how many times likelier tag j is right after tag i than anywhere, in the tags of training.

**Predict**: what becomes of the F1? How many sentences are not legal, each time?
"""

# %% tags=["experiment"]
by_transitions = {}
if test_logits is not None and ready("viterbi_decode"):
    begins, follows = legal_transitions(TAGS)
    followed = np.ones((len(TAGS), len(TAGS)))  # one of each, so that nothing has probability 0
    firsts = np.ones(len(TAGS))
    for row in train_rows:
        numbers = [TAGS.index(tag) for tag in row.tags]
        firsts[numbers[0]] += 1
        np.add.at(followed, (numbers[:-1], numbers[1:]), 1)
    share = followed.sum(axis=0) / followed.sum()  # of each tag
    likelier = np.log(followed / followed.sum(axis=1, keepdims=True) / share)
    likelier_first = np.log(firsts / firsts.sum() / share)
    ways = {
        ("全是 0", "all 0"): (np.zeros_like(followed), np.zeros(len(TAGS))),
        ("合法的", "legal"): (as_scores(follows), as_scores(begins)),
        ("合法，加上数的", "legal and counted"): (
            as_scores(follows) + likelier,
            as_scores(begins) + likelier_first,
        ),
    }
    for name, (between, first) in ways.items():

        def decode(scores, between=between, first=first):
            return viterbi_decode(scores, between, first) if len(scores) else []

        found = read_tags(test_logits, test_labels, test_rows, decode)
        illegal = 0
        for tags in found:
            numbers = [TAGS.index(tag) for tag in tags]
            steps_allowed = follows[numbers[:-1], numbers[1:]].all()
            illegal += not (begins[numbers[0]] and steps_allowed)
        by_transitions[name] = (*tag_scores(found, test_rows), illegal)
        accuracy, precision, recall, f1, _ = by_transitions[name]
        figures = f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}"
        say(
            f"{text(*name)}：字 {accuracy:.3f}，名字 {figures}；不合法的句子 {illegal}",
            f"{text(*name)}: words {accuracy:.3f}, names {figures}; {illegal} sentences not legal",
        )

# %% [markdown] lang="zh"
r"""
看看三行差多少。Viterbi 不会让模型看得更懂，它只是不许自相矛盾；模型越弱，矛盾越多，能捡回来的也越多。

转移的分数也可以**和模型一起训练**：对整条路做 softmax，分母是所有路的总和（用同样的递推，把 max 换成 log-sum-exp），这就是**条件随机场**（conditional random field，CRF）。在 BERT 之前，手工特征加 CRF 是标注任务的标准做法，今天也还是一条值得跑的基线：几分钟就训练好，不用 GPU。你写的 `viterbi_decode` 正是它读答案的办法。
"""

# %% [markdown] lang="en"
r"""
See how far apart the three lines are. Viterbi doesn't make a model understand more; it only forbids it to contradict itself. The weaker the model, the more it contradicts itself, and the more there is to be won back.

Transitions can also be **trained with the model**: take a softmax over whole paths, whose denominator is the sum over all of them (the same recursion, with log-sum-exp in place of the maximum). That is a **conditional random field** (CRF). Before BERT, hand-made features with a CRF were the standard for tagging, and they are still a baseline worth running: minutes of training, and no GPU. Your `viterbi_decode` is how a CRF reads its answer.
"""

# %% [markdown] lang="zh"
r"""
**用一用：换一个读过很多的骨干。** 5c 的 MiniLM 读过大量英文。把它**冻住**，一步也不微调：取出每个词第一个子词的状态（位置由你的 `align_labels` 给），做一个逻辑回归，用你的 Viterbi 读。数据是程序造的英文句子，400 句训练，200 句测试；测试里的名字和句式，训练时一个也没有见过，所以那本词典在这里是 0。六个块读三处：第 6 层（最后的输出）、第 3 层，和**嵌入**（第 0 层）；嵌入只知道词本身和它的位置，还没有看上下文。

MiniLM 第一次用时要取一次（80 MB），取不到就跳过。十来秒，电脑忙就得一分钟。**先猜**：训练时没见过的名字，它能认出几成？哪一层最好？
"""

# %% [markdown] lang="en"
r"""
**Use it: a backbone that has read much.** MiniLM, from 5c, has read a great deal of English. **Freeze** it, without a single step of fine-tuning: take the state of the first piece of every word (your `align_labels` says where they are), fit a logistic regression to them, and read with your Viterbi. The sentences are those of 6b.1, 400 to train on and 200 to test on; names and forms of the test were never seen in training, and a dictionary has 0 here. Of its six blocks three places are read: layer 6, which is the output, layer 3, and the **embeddings** (layer 0), which know a word and its place, and nothing yet of what is around it.

MiniLM is fetched when first used (80 MB); if it can't be had, the cell is skipped. It takes some ten seconds, or a minute on a busy computer. **Predict**: what share of names that were not in training does it find? Which layer is best?
"""

# %% tags=["experiment"]
import tempfile

from bert_keras.text.corpora.archives import CorpusError

by_layer = {}
if ready("align_labels", "bio_spans", "span_f1", "viterbi_decode"):
    from bert_keras.checkpoints import build_backbone as backbone_of
    from bert_keras.checkpoints import minilm as packaged

    minilm = None
    try:
        from sklearn.linear_model import LogisticRegression

        with tempfile.TemporaryDirectory() as folder:
            minilm = packaged.load(folder)
    except CorpusError as problem:
        say(f"取不到 MiniLM，跳过：{problem}", f"MiniLM can't be had; skipping it: {problem}")
    except ImportError:
        say("没有安装 scikit-learn，跳过。", "scikit-learn is not installed; skipping it.")

    if minilm is not None:
        large = backbone_of(minilm, dropout=0.0)
        reads = WordPieceTokenizer(minilm.vocabulary, minilm.lowercase)
        english = generated_entities.load(language="en")
        parts = {"train": english["train"][:400], "test": english["test"][:200]}
        few_kinds = sorted({tag for row in parts["train"] for tag in row.tags})
        states = {}
        for part, rows in parts.items():
            lines, places = [], []
            for row in rows:
                zeros = [0] * len(row.tokens)
                cut, aligned = align_labels(list(row.tokens), zeros, reads.tokenize, 32)
                lines.append((minilm.vocabulary.ids(cut[1:-1]), None))
                places.append(np.array(aligned) == 0)  # the first pieces
            packed = packing.pack_batch(lines, minilm.vocabulary, 32)
            lengths = [one.sum() for one in places]  # of the test in the end
            for start in range(0, len(rows), 50):
                batch = {name: array[start : start + 50] for name, array in packed.items()}
                layers = large.all_states(batch)["hidden_states"]
                where = np.array(places[start : start + 50])
                for layer in range(0, len(layers), 3):
                    states.setdefault((part, layer), []).append(np.asarray(layers[layer])[where])
        begins, follows = (as_scores(one) for one in legal_transitions(few_kinds))
        right = [tag for row in parts["train"] for tag in row.tags]
        gold = [bio_spans(list(row.tags)) for row in parts["test"]]
        for layer in range(0, len(layers), 3):
            regression = LogisticRegression(max_iter=1000)
            regression.fit(np.concatenate(states["train", layer]), right)
            scores = regression.decision_function(np.concatenate(states["test", layer]))
            sentences = np.split(scores, np.cumsum(lengths)[:-1])
            read = [
                bio_spans([few_kinds[tag] for tag in viterbi_decode(one, follows, begins)])
                for one in sentences
            ]
            by_layer[layer] = span_f1(gold, read)
            precision, recall, f1 = by_layer[layer]
            figures = f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}"
            say(f"第 {layer} 层：{figures}", f"layer {layer}: {figures}")

# %% [markdown] lang="zh"
r"""
同样 400 句标签，同样的逻辑回归，差的只是状态从哪一层来。要是第 0 层已经不低，那些名字多半单看词就猜得出：哪些词是地名，哪些是姓，读过大量英文的嵌入里就有。头没见过的名字，骨干见过。上下文又添了多少，看第 3 层和第 6 层比它高出多少。句子是程序造的，比报纸整齐得多，分数本身不能当真。
"""

# %% [markdown] lang="en"
r"""
The same 400 sentences and the same logistic regression; what differs is the layer that the states come from. Where layer 0 does well already, most names can be told by the word alone: which words are cities and which are family names is in embeddings that have read much English. Names that the head has never seen, the backbone has. What context adds shows in how far layers 3 and 6 are above it. Sentences made by a program are far tidier than a newspaper, so don't take the figures themselves for more than they are; but compare them with what the tagger of 6b.4 reached from scratch.
"""

# %% [markdown] lang="zh"
r"""
## 6b.6 练习：长文章要开窗

第二件活：给一篇文章、一个问题，答案是文章里的一段。这叫**抽取式问答**（extractive question answering）。一行拼成 [CLS] 问题 [SEP] 文章 [SEP]，头是一个全连接层，把每个词元的状态变成**两个**分数：做答案的开头有多合适，做答案的结尾有多合适。

可是位置嵌入只有那么多（BERT 是 512 个），注意力的花费又随长度的平方涨。文章放不下，就开**窗**：每个窗配上整个问题，单独成一行。窗与窗要重叠，不然答案正好被切成两半，哪个窗里都没有完整的一份。

先看数据：真的段落、真的答案，问题是造出来的：把答案所在的那句话挖掉答案，换成疑问词，再随机去掉一些词。所以它考的是**找不找得到地方**，不是读懂没读懂。
"""

# %% [markdown] lang="en"
r"""
## 6b.6 Exercise: windows over a long text

The second job: given a text and a question, the answer is a stretch of the text. That is **extractive question answering**. A row is [CLS] question [SEP] text [SEP], and the head is a dense layer that makes **two** scores of each token's state: how well it would do as the first token of the answer, and how well as the last.

But there are only so many position embeddings (512 in BERT), and the cost of attention grows with the square of the length. When a text doesn't fit, lay **windows** over it: each goes into a row of its own with the whole question. Windows have to overlap, or an answer may be cut in two and be whole in none of them.

First the data: real paragraphs and real answers, but the questions are made. Take the sentence of the answer, put a question word in the answer's place, and drop some of the other words at random. So they ask whether the **place is found**, not whether the text is understood.
"""

# %% tags=["experiment"]
import re

from bert_keras.text import answer_windows
from bert_keras.text.corpora import question_answering

questions = []  # filled by the next cell


def tokens_of(one):
    """Words of a text in lower case (in Chinese, characters), and where each of them stands."""
    found = list(re.finditer(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|[^\w\s]", one))
    return [word.group().lower() for word in found], [word.span() for word in found]


# %% tags=["experiment"]
questions = question_answering.load(language=LANG)["test"][:400]
row = questions[0]
print(row.context)
print(row.question, "→", row.answer)

# %% [markdown] lang="zh"
r"""
写 `qa_windows(context, question, max_sequence_length, stride)`（循环给好了，空着两处）：

| 参数 | 说明 |
|---|---|
| `context` | 整数的列表，文章的词元，可能是空的 |
| `question` | 整数的列表，问题的词元 |
| `max_sequence_length` | 整数 T：一行 [CLS] question [SEP] 窗 [SEP] 至多这么长 |
| `stride` | 整数，**步长**：下一个窗比这一个晚开始几个词元（原来 BERT 的 `doc_stride`） |

- 每个窗尽量长：问题和三个特殊词元占掉以后，剩下的位置叫 `room`，窗长 `room`；到了文章末尾就短一些。
- 第一个窗从 0 开始；哪个窗**到了文章末尾**，它就是最后一个，后面不再有窗。
- 步长大过 `room` 会漏掉词元，这时按 `room` 走。
- 文章是空的：一个窗 `(0, 0)`。
- `room` 不到 1，或者 `stride` 不到 1：抛出 `ValueError`。
- **返回** `(start, end)` 的列表：窗是 `context[start:end]`，末端不含。
"""

# %% [markdown] lang="en"
r"""
Write `qa_windows(context, question, max_sequence_length, stride)` (the loop is there, two holes are left):

| Argument | Notes |
|---|---|
| `context` | list of ints, the tokens of the text; may be empty |
| `question` | list of ints, the tokens of the question |
| `max_sequence_length` | int, T: a row [CLS] question [SEP] window [SEP] is no longer than this |
| `stride` | int, the **step**: by how many tokens the next window begins later than this one (`doc_stride` of the original BERT) |

- A window is as long as can be: what question and three special tokens leave of a row is called `room`, and a window has `room` tokens, or fewer at the end of the text.
- The first window begins at 0; a window that **reaches the end of the text** is the last one, and none comes after it.
- A step larger than `room` would leave tokens out; then the step is `room`.
- An empty text has one window, `(0, 0)`.
- Where `room` is below 1, or `stride` is, raise `ValueError`.
- **Returns** a list of `(start, end)`: a window is `context[start:end]`, the end is exclusive.
"""


# %% exercise="qa_windows"
def qa_windows(context, question, max_sequence_length, stride):
    """Lay windows over a context, so that each fits into a row with the question.

    Args:
        context: list of ints, may be empty.
        question: list of ints.
        max_sequence_length: int, the length T of a row [CLS] question [SEP] window [SEP].
        stride: int, how far the next window begins after the last one.

    Returns:
        list of (start, end), ints, end exclusive.

    Raises:
        ValueError: there is no room for the context, or the stride is below 1.
    """
    # First hole: `room`, how many tokens of the context fit into a row. What can't work raises.
    ### BEGIN SOLUTION
    room = max_sequence_length - len(question) - 3
    if room < 1 or stride < 1:
        raise ValueError(f"room for {room} tokens, stride {stride}: both must be at least 1")
    ### END SOLUTION
    windows, start = [], 0
    while True:
        # Second hole: add the window that begins at `start`; return if it is the last one. Where
        # does the next one begin?
        ### BEGIN SOLUTION
        end = min(start + room, len(context))
        windows.append((start, end))
        if end == len(context):
            return windows
        start += min(stride, room)
        ### END SOLUTION


# %% check="qa_windows"
check("qa_windows", qa_windows)

# %% [markdown] lang="zh"
r"""
**看一看。** 一段真的文章，一行只许 64 个词元，步长取 `room` 的一半。几个窗？答案在几个窗里是完整的（图上边框加粗的）？先在纸上算，再看图。
"""

# %% [markdown] lang="en"
r"""
**See it.** A real text, rows of 64 tokens only, and a step of half the `room`. How many windows are there, and in how many is the answer whole (those have a heavy edge)? Work it out on paper, then look.
"""

# %% tags=["experiment"]
from matplotlib.ticker import PercentFormatter

from bert_keras.analysis.window_lines import window_lines


def numbered(row):
    """A question as tokens: the text's, the question's, where the text's stand, the answer."""
    words, places = tokens_of(row.context)
    answer = answer_windows.tokens_of_answer(places, row.start, row.start + len(row.answer))
    return words, tokens_of(row.question)[0], places, answer


if questions and ready("qa_windows"):
    row = max(questions[:50], key=lambda one: len(one.context))
    words, asked, places, answer = numbered(row)
    room = 64 - len(asked) - 3
    found = qa_windows(list(range(len(words))), list(range(len(asked))), 64, room // 2)
    print(row.question, "→", row.answer)
    say(
        f"文章 {len(words)} 个词元，问题 {len(asked)} 个，room = {room}：{len(found)} 个窗",
        f"{len(words)} tokens of text, {len(asked)} of question, room = {room}: "
        f"{len(found)} windows",
    )
    called = text("文章", "text"), text("窗", "window"), text("答案", "answer")
    display(window_lines(len(words), found, called, answer))

# %% [markdown] lang="zh"
r"""
步长怎么定？小了，窗多，算得多；大了，答案可能哪个窗里都不完整。在 400 个问题上量一量，步长取 `room` 的几分之几。**先猜**：步长等于 `room`（一点不重叠）时，百分之几的答案被切断？步长多大以下，一个也不会断？断的比例是慢慢涨上去的吗？
"""

# %% [markdown] lang="en"
r"""
How large should the step be? A small one makes many windows and much to compute; with a large one an answer may be whole in none. Measure it on 400 questions, with steps that are a share of `room`. **Predict**: with a step of `room`, that is, no overlap at all, what share of the answers is cut? And below which step is none cut? Does the share rise steadily?
"""

# %% tags=["experiment"]
by_step = {}
if questions and ready("qa_windows"):
    for part in (1.0, 0.95, 0.9, 0.85, 0.75, 0.5, 0.25, 0.125):
        counts, cut = [], []
        for row in questions:
            words, asked, _, (first, last) = numbered(row)
            room = 64 - len(asked) - 3
            if room < 1:
                continue
            found = qa_windows(words, asked, 64, max(1, int(part * room)))
            counts.append(len(found))
            cut.append(not any(start <= first and last < end for start, end in found))
        by_step[part] = np.mean(counts), np.mean(cut)
        say(
            f"步长 {part:5.3f} · room：平均 {np.mean(counts):4.1f} 个窗，{np.mean(cut):.1%} 的答案断了",
            f"step {part:5.3f} · room: {np.mean(counts):4.1f} windows on average, "
            f"{np.mean(cut):.1%} of the answers cut",
        )
    words = chart_words(LANG)
    with chart(2, width=3.8, height=2.9) as axes:
        for number, axis in enumerate(axes):
            axis.plot(
                list(by_step),
                [pair[number] for pair in by_step.values()],
                color=COLOURS[number],
                marker=MARKERS[number],
                linestyle=STYLES[number],
            )
            axis.set(xlabel=words("步长 / room", "step / room"))
            axis.set_ylabel(
                (words("窗的个数", "windows"), words("断了的答案", "answers cut"))[number]
            )
        axes[1].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))

# %% [markdown] lang="zh"
r"""
n 个词元的一段，步长不超过 room − n + 1 时，一定完整地落在某个窗里（想一想为什么：答案开头之前最近的那个窗，最多提前几个词元开始？）。答案多半很短，所以步长不必很小：断的比例不是慢慢涨上去的，步长快到 `room` 时才冒出来。

两个库，一个名字，两种意思：原来的 BERT 里 `doc_stride` 是**步长**；Hugging Face 的分词器里 `stride` 是**重叠**几个。同样写 128，窗就不一样。
"""

# %% [markdown] lang="en"
r"""
A stretch of n tokens is whole in some window as long as the step is no more than room − n + 1. (Think why: of all windows that begin no later than the answer, how much earlier does the nearest one begin?) Most answers are short, so the step needn't be small: the share of cut ones doesn't rise steadily, it appears only when the step is nearly `room`.

Two libraries, one name, two meanings: in the original BERT `doc_stride` is the **step**; in the tokenizers of Hugging Face `stride` is how many tokens **overlap**. The same 128 makes other windows.
"""

# %% [markdown] lang="zh"
r"""
## 6b.7 练习：最好的一段

模型给了一行里每个位置的两个分数，怎么变成一段答案？开头、结尾各取最高分，听起来很自然，可是：结尾可能在开头**前面**；最高分可能落在**问题**里（问题里的词跟文章里的本来就像）；可能长得离谱。所以要在**合法的段**里挑总分最高的：n 个词元有 $n(n+1)/2$ 段，画成表就是一个三角形。

还有一种回答是“这里没有答案”。BERT 用 [CLS] 表示它：训练时，窗里没有完整的答案，就让开头和结尾都指着 [CLS]。读的时候，拿 [CLS] 的分数跟最好的一段比。
"""

# %% [markdown] lang="en"
r"""
## 6b.7 Exercise: the best span

A model has given two scores to each place of a row; what is the answer? To take the best first token and the best last token sounds natural, but: the last may be **before** the first; the best may lie in the **question** (whose words are like those of the text, after all); or it may be absurdly long. So choose the highest total among the **legal spans**: n tokens have $n(n+1)/2$ of them, which in a table make a triangle.

And there is one more answer: "not here". BERT has [CLS] for that: in training, when a window doesn't have the whole answer, first and last token both are [CLS]. In reading, the score of [CLS] is compared with that of the best span.
"""

# %% [markdown] lang="zh"
r"""
写 `best_span(start_scores, end_scores, offset, window_start, window_length, max_answer)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `start_scores` | (T,) | 浮点数组，这一行每个位置作为答案**第一个**词元的分数，都是有限的数 |
| `end_scores` | (T,) | 浮点数组，作为答案**最后一个**词元的分数 |
| `offset` | 整数 | 窗的第一个词元在这一行的位置 |
| `window_start` | 整数 | 窗的第一个词元在文章里的位置 |
| `window_length` | 整数 | 窗里有几个词元，至少 1；它们占这一行的 `offset` 到 `offset + window_length − 1` |
| `max_answer` | 整数 | 答案至多几个词元，至少 1 |

- 合法的一段：第一个和最后一个词元都在窗里（不在问题里，不是特殊词元，不是填充），最后一个不在第一个前面（可以是同一个），至多 `max_answer` 个词元。
- 一段的分数：第一个的 `start_scores` 加最后一个的 `end_scores`。
- **返回**四样 `(score, first, last, null_score)`：最好的合法一段的分数（float），它的第一个和最后一个词元**在文章里**的位置（int，**两端都含**），以及 `null_score`：`start_scores[0] + end_scores[0]`，也就是 [CLS] 那个位置的分数（float），表示“这个窗里没有答案”。一样好的，给哪一段都行。
- 用 NumPy；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
Write `best_span(start_scores, end_scores, offset, window_start, window_length, max_answer)`:

| Argument | Shape | Notes |
|---|---|---|
| `start_scores` | (T,) | float array, how well each place of the row would do as the **first** token of the answer; all finite |
| `end_scores` | (T,) | float array, how well as its **last** token |
| `offset` | int | where the window's first token stands in the row |
| `window_start` | int | where the window's first token stands in the text |
| `window_length` | int | tokens in the window, at least 1; they are places `offset` to `offset + window_length − 1` of the row |
| `max_answer` | int | tokens of an answer at most, at least 1 |

- A span is legal if its first and last tokens are in the window (not in the question, no special tokens, no padding), the last is not before the first (it may be the same), and it has `max_answer` tokens at most.
- The score of a span is `start_scores` at its first plus `end_scores` at its last token.
- **Returns** four things, `(score, first, last, null_score)`: the score of the best legal span (float); where its first and last tokens stand **in the text** (ints, **both belong to it**); and `null_score`, which is `start_scores[0] + end_scores[0]`, that is, at [CLS] (float), and stands for "no answer in this window". Of equally good spans you may give any.
- Use NumPy; don't change the arrays that you are handed.
"""


# %% exercise="best_span"
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    """Find the best legal answer in one window, and the score of having none.

    Args:
        start_scores: float array of shape (T,).
        end_scores: float array of shape (T,).
        offset: int, where the window's first token stands in the row.
        window_start: int, where it stands in the context.
        window_length: int, the number of tokens in the window, at least 1.
        max_answer: int, the number of tokens of an answer at most, at least 1.

    Returns:
        (score, first, last, null_score): a float; two ints, the first and the last token of the
        answer in the context; a float, the score of [CLS].
    """
    ### BEGIN SOLUTION
    here = slice(offset, offset + window_length)
    total = start_scores[here, None] + end_scores[None, here]  # (n, n), [first, last]
    longer = np.arange(window_length)[None, :] - np.arange(window_length)[:, None]
    total = np.where((longer >= 0) & (longer < max_answer), total, -np.inf)
    first, last = divmod(int(total.argmax()), window_length)
    null_score = float(start_scores[0] + end_scores[0])
    return float(total[first, last]), first + window_start, last + window_start, null_score
    ### END SOLUTION


# %% check="best_span"
check("best_span", best_span)

# %% [markdown] lang="zh"
r"""
**用一用：一个只会数词的读者。** 训练一个会答题的 BERT 要好多分钟（见 6b.9）。开窗和读答案可不管分数从哪里来，所以这里请一个**不用训练**的读者来打分：疑问词左边的词，如果出现在某个位置前面不远的地方，这个位置就像答案的开头；疑问词右边的词，如果出现在它后面不远的地方，就像结尾。越近、越少见的词，分越多；问题里的词自己不大会是答案，扣 1 分。[CLS] 的两个分数各是 2。

别的全用你写的：窗是 `qa_windows`，读是 `best_span`，所有窗里取最好的。**先猜**：它能答对几成？如果改成开头结尾各取最高分，有几成的“答案”根本不合法？
"""

# %% [markdown] lang="en"
r"""
**Use it: a reader that only counts words.** To train a BERT that answers questions takes many minutes (see 6b.9). But windows and reading don't care where scores come from, so let them come from a reader that **needs no training**: where words that stand left of the question word occur a little before a place, the place looks like the beginning of an answer; where words right of it occur a little after a place, it looks like the end. Near and rare words count for more; a word of the question is hardly the answer itself, and loses 1. Both scores of [CLS] are 2.

All else is yours: windows by `qa_windows`, reading by `best_span`, and the best of all windows. **Predict**: what share does it answer rightly? And if the first and the last token were chosen each by itself, what share of the "answers" wouldn't even be legal?
"""

# %% tags=["experiment"]
from collections import Counter

ASKED = {"zh": "哪个机构|什么时候|哪里|谁", "en": r"\bwho or what\b|\bhow much\b|\bwhen\b"}[LANG]
NEAR = np.concatenate([[0.0], 0.9 ** np.arange(1, 11)])  # how much a word counts, by distance
ROW, MAX_ANSWER, CLS_SCORE = 96, 10, 2.0
reader_answers = None  # filled by the next cell


def rarities(rows):
    """How rare each word is: the logarithm of one in how many texts has it."""
    texts = {row.context for row in rows}
    counts = Counter(word for one in texts for word in set(tokens_of(one)[0]))
    return {word: np.log(len(texts) / count) for word, count in counts.items()}


def counted_scores(line, question, rarity):
    """Two scores for every place of a row, from the words before and behind it."""
    left, right = (set(tokens_of(side)[0]) for side in re.split(ASKED, question, maxsplit=1))
    from_left = np.array([rarity.get(word, 0.0) * (word in left) for word in line])
    from_right = np.array([rarity.get(word, 0.0) * (word in right) for word in line])
    asked_for = np.array([word in left | right for word in line])  # hardly the answer itself
    start_scores = np.convolve(from_left, NEAR)[: len(line)] - asked_for  # (T,)
    end_scores = np.convolve(from_right[::-1], NEAR)[: len(line)][::-1] - asked_for  # (T,)
    start_scores[0] = end_scores[0] = CLS_SCORE
    return start_scores, end_scores


def read_answer(context, question, rarity, step=0.5):
    """The answer, its lead over "no answer", and what is wrong with each end by itself."""
    words, places = tokens_of(context)
    asked = tokens_of(question)[0]
    room = ROW - len(asked) - 3
    best, null, wrong = (-np.inf, 0, 0), np.inf, None
    for start, end in qa_windows(words, asked, ROW, max(1, int(step * room))):
        line = ["[CLS]", *asked, "[SEP]", *words[start:end], "[SEP]"]
        scores = counted_scores(line, question, rarity)
        offset, stop = len(asked) + 2, len(asked) + 2 + end - start
        *span, none = best_span(*scores, offset, start, end - start, MAX_ANSWER)
        null = min(null, none)
        if span[0] > best[0]:
            best = tuple(span)
            in_row = [int(one[1:].argmax()) + 1 for one in scores]  # each end by itself
            first, last = (int(one[offset:stop].argmax()) for one in scores)  # in the window
            outside_of_it = not all(offset <= place < stop for place in in_row)
            wrong = outside_of_it, not 0 <= last - first < MAX_ANSWER
    score, first, last = best
    return context[places[first][0] : places[last][1]], score - null, wrong


# %% tags=["experiment"]
if questions and ready("qa_windows", "best_span"):
    usable = [row for row in questions if len(re.split(ASKED, row.question, maxsplit=1)) == 2]
    rarity = rarities(usable)
    reader_answers = [read_answer(row.context, row.question, rarity) for row in usable]
    pairs = [(answer, row) for (answer, _, _), row in zip(reader_answers, usable)]
    exact = np.mean([question_answering.exact_match(*pair) for pair in pairs])
    overlap = np.mean([question_answering.overlap(*pair) for pair in pairs])
    beyond, apart = np.mean([wrong for _, _, wrong in reader_answers], axis=0)
    for answer, row in pairs[:4]:
        print(f"{row.question}\n    {answer}  |  {row.answer}")
    say(
        f"{len(usable)} 个问题：完全答对 {exact:.3f}，字的 F1 {overlap:.3f}",
        f"{len(usable)} questions: exactly right {exact:.3f}, F1 of words {overlap:.3f}",
    )
    say(
        f"两端各取最高：{beyond:.1%} 落在窗外；只在窗里取，还有 {apart:.1%} 结尾在前或者太长",
        f"each end by itself: {beyond:.1%} are outside of the window; even inside of it "
        f"{apart:.1%} end before they begin, or are too long",
    )

# %% [markdown] lang="zh"
r"""
“落在窗外”几乎是 100 %，不是算错了，是这个读者的脾气：问题里的词一个挨一个，左右都是问题里的词，扣 1 分也还是最高，所以至少有一端落在**问题**里，多半是两端。训练过的模型没有这么极端；更该看的是后一个数：只在窗里取，还有多少不合法。

**看一看。** 一个问题，答案附近的二十来个词元：行是开头，列是结尾，颜色越深总分越高；点是不合法的（结尾在前，或者太长）；橙色框是选中的一段。
"""

# %% [markdown] lang="en"
r"""
That nearly 100 % are outside is no bug but how this reader is made: in the question the words of the question stand side by side, so the scores there are highest even with 1 taken off, and at least one end, mostly both, lands in the **question**. A trained model isn't as extreme; the second figure says more: how many aren't legal even inside of the window.

**See it.** One question, and some twenty tokens around its answer: rows are first tokens, columns last ones, and darker is a higher total; dots are not legal (the end comes first, or the span is too long), and the orange frame is the span that was chosen.
"""

# %% tags=["experiment"]
from bert_keras.analysis.span_triangle import span_triangle

if reader_answers is not None:
    known = [question_answering.exact_match(*pair) for pair in pairs]
    row = usable[known.index(1.0)] if 1.0 in known else usable[0]
    words, asked, places, (first, last) = numbered(row)
    begin, stop = max(0, first - 9), min(len(words), last + 10)
    start_scores, end_scores = counted_scores(words[begin:stop], row.question, rarity)
    start_scores[0] = end_scores[0] = 0.0  # no [CLS] here
    size = stop - begin
    found = best_span(start_scores, end_scores, 0, 0, size, MAX_ANSWER)
    longer = np.arange(size)[None, :] - np.arange(size)[:, None]
    legal = (longer >= 0) & (longer < MAX_ANSWER)
    print(row.question, "→", row.answer)
    totals = start_scores[:, None] + end_scores[None, :]
    called = text("开头", "first token"), text("结尾", "last token")
    display(span_triangle(words[begin:stop], totals, legal, found[1:3], called))

# %% [markdown] lang="zh"
r"""
**没有答案的时候。** 把每个问题再问一遍，这次问的是**别人的**文章：那里没有答案。最好的一段比 [CLS] 高出多少，就是它有多大把握。高出不到一个阈值，就回答“没有”。阈值从低到高，两种问题各处理对了几成？**先猜**两条线的样子。
"""

# %% [markdown] lang="en"
r"""
**When there is no answer.** Ask each question once more, this time of **another** question's text, where it has no answer. How far the best span is above [CLS] says how sure the reader is. If it is less than a threshold, say "none". With the threshold going up, what share of either kind is dealt with rightly? **Predict** what the two lines look like.
"""

# %% tags=["experiment"]
if reader_answers is not None:
    strangers = [
        read_answer(other.context, row.question, rarity)[1]
        for row, other in zip(usable, usable[7:] + usable[:7])
        if row.answer not in other.context
    ]
    surely = np.array([lead for _, lead, _ in reader_answers])
    strangers, right = np.array(strangers), np.array(known) == 1
    thresholds = np.linspace(min(strangers.min(), 0), np.quantile(surely, 0.95), 40)
    lines = {
        ("有答案，答对了", "an answer, and right"): [
            np.mean(right & (surely >= one)) for one in thresholds
        ],
        ("没有答案，没有乱答", "no answer, and none given"): [
            np.mean(strangers < one) for one in thresholds
        ],
    }
    words = chart_words(LANG)
    with chart(1, width=5.0, height=3.2) as (axis,):
        for number, (name, shares) in enumerate(lines.items()):
            axis.plot(
                thresholds,
                shares,
                color=COLOURS[number],
                linestyle=STYLES[number],
                label=words(*name),
            )
        axis.set(xlabel=words("阈值", "threshold"), ylabel=words("比例", "share"), ylim=(0, 1.02))
        axis.legend(frameon=False, fontsize=9, loc="center right")
    both = np.mean(list(lines.values()), axis=0)
    say(
        f"两个比例的平均值最高是 {both.max():.3f}，这时阈值是 {thresholds[both.argmax()]:.1f}",
        f"the mean of both is highest, {both.max():.3f}, at a threshold of "
        f"{thresholds[both.argmax()]:.1f}",
    )

# %% [markdown] lang="zh"
r"""
一条升，一条降：多拒绝几个没有答案的，就会冤枉几个有答案的。阈值要在**验证集**上挑；上面为了省事在同一批问题上挑，数字就偏乐观。

有好几个窗时，“整篇没有答案”要**每个窗都说没有**才算；所以 BERT 取各窗 [CLS] 分数里**最小**的一个去比。这个读者的 [CLS] 分数每个窗都一样，看不出差别；训练出来的模型就不一样了。
"""

# %% [markdown] lang="en"
r"""
One rises, the other falls: refusing more of those without an answer wrongs some that have one. A threshold is chosen on the **dev** part; it was done on these very questions here to keep things short, which makes the figure a little too good.

With several windows a text has no answer only if **every window** says so, which is why BERT compares with the **smallest** of the windows' scores of [CLS]. This reader gives [CLS] the same score everywhere, so it makes no difference here; with a trained model it does.
"""

# %% [markdown] lang="zh"
r"""
## 6b.8 练习：“它”是谁

“那只动物没有穿过那条街道，因为它太累了。”“它”是动物。把“累”换成“宽”，“它”就成了街道。两句话只差一个字，答案换了人；从第 3 章起我们一直带着这对句子。现在来让模型回答：前面两个名词，代词指的是哪一个？这叫**指代消解**（coreference resolution）。

办法又是“片段”：每个**提及**（mention，一个名词或者一个代词）占一个或几个词元，把它们的状态平均成一个向量；代词和每个候选配成一对，给一对打一个分，softmax 在候选之间做，跟 6a 的选择题一样。一对的特征是三样接起来：两个向量，和它们**逐个相乘**的结果；两个向量哪里相像，乘积就在哪里大。
"""

# %% [markdown] lang="en"
r"""
## 6b.8 Exercise: who is "it"?

"The animal didn't cross the street because it was too tired." It is the animal. Put *wide* in the place of *tired*, and it is the street: change one word, and the answer changes. These two sentences have been with us since chapter 3; now let a model say which of the two nouns the pronoun means. That is **coreference resolution**.

Spans once more: every **mention**, be it a noun or a pronoun, has one or several tokens, and the mean of their states is its vector. The pronoun makes a pair with each candidate, a pair gets one score, and the softmax is over candidates, as over choices in 6a. A pair is described by three things joined together: both vectors, and their product **number by number**, which is large where the two agree.
"""

# %% [markdown] lang="zh"
r"""
写 `coreference_pair_features(sequence_output, mention_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `sequence_output` | (B, T, D) | 浮点，骨干的输出 |
| `mention_mask` | (B, M, T) | 布尔，`True` = 这个词元属于这个提及（mention）；每个提及至少有一个词元。第 0 个是代词，后面的是候选 |

- 一个提及的向量，是它的词元的状态的平均。别的词元上的数再大（只要有限），也不能影响它。
- 代词和每个候选配成一对：代词的向量 $p$，候选的向量 $c$，和两者逐个相乘的 $p \cdot c$，按这个次序接起来，一共 3D 个数。
- **返回** (B, M − 1, 3D)：第 m 个是代词和第 m + 1 个提及的那一对。
- 训练时批次大小还不知道（`shape[0]` 是 `None`），只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
Write `coreference_pair_features(sequence_output, mention_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `sequence_output` | (B, T, D) | float, from the backbone |
| `mention_mask` | (B, M, T) | bool, `True` = the token belongs to the mention; every mention has a token at least. Mention 0 is the pronoun, the others are candidates |

- The vector of a mention is the mean of its tokens' states. However large the (finite) numbers at other tokens are, they must not change it.
- The pronoun makes a pair with each candidate: the pronoun's vector $p$, the candidate's vector $c$, and their product $p \cdot c$ number by number, joined in this order; 3D numbers in all.
- **Returns** (B, M − 1, 3D): entry m is the pair of the pronoun and mention m + 1.
- In training the batch size is unknown (`shape[0]` is `None`); use `ops` only.
"""


# %% exercise="coreference_pair_features"
def coreference_pair_features(sequence_output, mention_mask):
    """Put together what is known of a pronoun and each of its candidates.

    Args:
        sequence_output: float tensor of shape (B, T, D).
        mention_mask: bool tensor of shape (B, M, T), True at the tokens of each of M mentions;
            the first is the pronoun.

    Returns:
        float tensor of shape (B, M - 1, 3 D): the pronoun, a candidate, and their product.
    """
    ### BEGIN SOLUTION
    is_inside = ops.cast(mention_mask, sequence_output.dtype)  # (B, M, T)
    share = is_inside / ops.sum(is_inside, axis=-1, keepdims=True)  # (B, M, T)
    mentions = ops.matmul(share, sequence_output)  # (B, M, D)
    candidates = mentions[:, 1:]  # (B, M - 1, D)
    pronoun = ops.broadcast_to(mentions[:, :1], ops.shape(candidates))
    return ops.concatenate([pronoun, candidates, pronoun * candidates], axis=-1)
    ### END SOLUTION


# %% check="coreference_pair_features"
check("coreference_pair_features", coreference_pair_features)

# %% [markdown] lang="zh"
r"""
**用一用。** 语料是造出来的：每个“名词 + 动词 + 形容词”抽一次，就成四句，两个名词谁在前、形容词说的是谁，各一半。所以“总选第一个名词”对一半；只数词也对一半，因为同样的词，两种答案一样多。测试里正确答案的“名词加形容词”，训练时从没有搭配过：要学的是**哪一类**东西会累，哪一类会宽。

小骨干从头训练，4000 句，8 轮，二十来秒（电脑忙的话一两分钟）。**先猜**：每一轮之后的测试准确率。
"""

# %% [markdown] lang="en"
r"""
**Use it.** The corpus is generated: every draw of nouns, verb and adjectives makes four sentences, with either noun first and an adjective for either. So "always the first noun" is right half of the time, and so is counting words, for the same words go with both answers equally often. In the test, the right noun and its adjective have never been a pair in training: what is to be learnt is which **kind** of thing gets tired, and which kind is wide.

A small backbone is trained from scratch on 4000 sentences, 8 epochs, some twenty seconds (a minute or two on a busy computer). **Predict** the accuracy on the test after each epoch.
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import referent

SENTENCE = 24  # tokens of a row
ranker = None  # filled by the next cell


class Ranker(keras.Model):
    """A backbone, and a score for the pronoun with each candidate."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        backbone.pooler.trainable = False  # nothing here reads it
        self.hidden = keras.layers.Dense(64, activation="relu")
        self.scorer = keras.layers.Dense(1)

    def call(self, inputs):
        states = self.backbone(inputs)["sequence_output"]  # (B, T, D)
        pairs = coreference_pair_features(states, inputs["mention_mask"])  # (B, M - 1, 3 D)
        return ops.squeeze(self.scorer(self.hidden(pairs)), axis=-1)  # (B, M - 1)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return ops.mean(ops.sparse_categorical_crossentropy(y, y_pred, from_logits=True))


def mention_arrays(rows, vocabulary):
    """Sentences as arrays: a word is a token, and [CLS] moves every place by one."""
    inputs = packing.pack_batch(
        [(vocabulary.ids(row.tokens), None) for row in rows], vocabulary, SENTENCE
    )
    masks = np.zeros((len(rows), 3, SENTENCE), bool)  # the pronoun and two nouns
    for number, row in enumerate(rows):
        masks[number, range(3), [place + 1 for place in (row.pronoun, *row.nouns)]] = True
    return inputs | {"mention_mask": masks}, np.array([row.label for row in rows], "int32")


# %% tags=["experiment"]
if shown and ready("coreference_pair_features"):
    told = referent.load_splits(language=LANG)
    for row in told["train"][:4]:
        print(row.text(), "→", row.tokens[row.referent])
    every_word = sorted({word for part in told.values() for row in part for word in row.tokens})
    told_words = Vocabulary([*SPECIAL_TOKENS, *every_word])
    told_train, right_train = mention_arrays(told["train"], told_words)
    told_test, right_test = mention_arrays(told["test"], told_words)
    keras.utils.set_random_seed(0)
    ranker = Ranker(new_backbone(len(told_words), SENTENCE))
    steps = 8 * -(-len(right_train) // 64)
    ranker.compile(optimizer=optimizer_for(steps, 3e-3), jit_compile=False)
    say(
        f"总选第一个名词：{np.mean(right_test == 0):.3f}",
        f"always the first noun: {np.mean(right_test == 0):.3f}",
    )
    for epoch in range(1, 9):
        ranker.fit(told_train, right_train, batch_size=64, verbose=0)
        guesses = predicted(ranker, told_test).argmax(axis=-1)
        accuracy = np.mean(guesses == right_test)
        say(f"第 {epoch} 轮：{accuracy:.3f}", f"epoch {epoch}: {accuracy:.3f}")

# %% [markdown] lang="zh"
r"""
这样的任务，准确率常常先停在一半好几轮，然后忽然升上去：这份语料里没有哪条单独的线索比掷硬币强，要几样一起学会才有用，所以没有一条慢慢爬的路。你的是这样吗？

**看一看。** 开头那一对句子，它们的答案训练时都没有搭配过。名词下面是模型给的概率，颜色越深概率越大。换一个形容词，概率换不换主人？
"""

# %% [markdown] lang="en"
r"""
In a task like this one the accuracy often stays at one half for some epochs, and then rises all at once: in this corpus no single cue is better than a coin, several things have to be learnt before any of them is of use, and so there is no slope to climb. Is it so in yours?

**See it.** The two sentences from above, whose answers were never a pair in training. Below the nouns are the probabilities that the model gives, and the fuller the colour, the larger they are. Does the probability change sides with the adjective?
"""

# %% tags=["experiment"]
if ranker is not None:
    both = referent.example(LANG)
    logits = predicted(ranker, mention_arrays(both, told_words)[0])
    groups, depth = [], {}
    for row, scores in zip(both, logits):
        shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        marked = [(f"{share:.2f}", place, place + 1) for share, place in zip(shares, row.nouns)]
        depth |= {f"{share:.2f}": float(share) for share in shares}
        marked.append((text("代词", "pronoun"), row.pronoun, row.pronoun + 1))
        groups.append((row.tokens[row.referent], row.tokens, marked))
    display(span_lines(groups, gap=GAP, shares=depth))

# %% [markdown] lang="zh"
r"""
这里的世界很小：几十个名词，几十个形容词，句式就那么几种。真的文章里，指代要用的常识没有边，候选也不止两个，常常还得先找出哪些地方是提及。可是头的样子没有变：提及的向量、成对的特征、候选之间的 softmax（[Lee 等 2017](https://arxiv.org/abs/1707.07045) 就是这么做的，[Joshi 等 2019](https://arxiv.org/abs/1908.09091) 换上了 BERT）。
"""

# %% [markdown] lang="en"
r"""
This is a small world: some dozens of nouns and adjectives, and a few forms of sentences. In real texts there is no end to what one has to know, there are more than two candidates, and often one must find out first what is a mention. Still, the head remains what it is: vectors of mentions, features of pairs, a softmax over candidates ([Lee et al. 2017](https://arxiv.org/abs/1707.07045) did it so, and [Joshi et al. 2019](https://arxiv.org/abs/1908.09091) with BERT).
"""

# %% [markdown] lang="zh"
r"""
## 6b.9 存好的实验

每条断言都写在测量之前，成立不成立，照实打印。每个数都是至少三个种子的平均，± 后面是标准差。

**一、人名、地名、机构名。** 《人民日报》，2000 句和 8000 句标签；小 BERT（两个块，隐藏维度 64）从头开始，或者先在报纸上猜过字；读的时候逐个取最高，或者用 Viterbi 只走合法的路。旁边是同样那些句子记成的词典。
"""

# %% [markdown] lang="en"
r"""
## 6b.9 Stored experiments

Every claim was written down before anything was measured, and whether it held is printed as it came out. Every figure is a mean over three seeds at least, with the standard deviation behind ±.

**One: names in a newspaper.** Chinese sentences of People's Daily, 2000 and 8000 of them with labels; a small BERT (two blocks of hidden size 64) from scratch, or after guessing characters in the newspaper; read by the best tag at each place, or by Viterbi along legal paths only. Beside it the dictionary made of the same sentences.
"""


# %% tags=["experiment"]
def verdict_of(result):
    """Print a claim and whether it held, part by part."""
    held = text("成立", "held") if result["holds"] else text("不成立", "did not hold")
    print(result["claim"][LANG], "→", held)
    parts = result.get("parts", {})
    if len(parts) > 1:
        each = {True: text("成立", "held"), False: text("不成立", "did not hold")}
        print("  ".join(f"({name}) {each[is_held]}" for name, is_held in parts.items()))


def spread(figure):
    return f"{figure['mean']:.3f} ± {figure['sd']:.3f}"


def table_of(figures):
    """Nested figures as lines: names, then what belongs to them."""
    for name, inner in figures.items():
        if "mean" in inner:
            print(f"{name:12} {spread(inner)}")
        else:
            print(f"{name:12}", "  ".join(f"{key} {spread(one)}" for key, one in inner.items()))


ner_span_f1 = stored("ner_span_f1")
if ner_span_f1:
    verdict_of(ner_span_f1)
    for count, figures in ner_span_f1["figures"].items():
        say(f"{count} 句", f"{count} sentences")
        table_of(figures)
    words = chart_words(LANG)
    names = {
        "dictionary": ("词典", "dictionary"),
        "scratch": ("从头", "scratch"),
        "pretrained": ("预训练过", "pretrained"),
    }
    with chart(1, width=4.8, height=3.2) as (axis,):
        for number, (name, pair) in enumerate(names.items()):
            found = [figures[name]["legal"] for figures in ner_span_f1["figures"].values()]
            axis.errorbar(
                range(len(found)),
                [figure["mean"] for figure in found],
                yerr=[figure["sd"] for figure in found],
                color=COLOURS[number],
                marker=MARKERS[number],
                linestyle=STYLES[number],
                capsize=3,
                label=words(*pair),
            )
        axis.set_xticks(range(len(found)), list(ner_span_f1["figures"]))
        axis.set(xlabel=words("有标签的句子", "sentences with labels"), ylabel="F1")
        axis.legend(frameon=False, fontsize=9)

# %% [markdown] lang="zh"
r"""
**二、从文章里找答案。** 就是 6b.6 的那种问题，中文和英文；小 BERT 先读过报纸，再用 `SpanPredictor` 训练。一行 128 个词元，步长 48，最好的一段在所有窗里取。基线：把疑问词当空格，在文章里照原样查。还数了一样：开头结尾各取最高分，有几成不合法。
"""

# %% [markdown] lang="en"
r"""
**Two: finding answers in texts.** The questions of 6b.6, in Chinese and English; the small BERT has read a newspaper and is then trained as a `SpanPredictor`. Rows have 128 tokens, the step is 48, and the best span of all windows counts. The baseline looks the question up in the text as it stands, with a gap for its question word. One more thing is counted: with each end chosen by itself, what share isn't legal?
"""

# %% tags=["experiment"]
cloze_qa = stored("cloze_qa")
if cloze_qa:
    verdict_of(cloze_qa)
    table_of(cloze_qa["figures"])

# %% [markdown] lang="zh"
r"""
**三、“它”是谁。** 6b.8 的语料，中文和英文，有标签的句子 512 句和 4000 句，小 BERT 从头开始。英文 512 句时，再看一个预训练过的：5c 的 MiniLM，接上同样的头整个微调。旁边是数词的逻辑回归。
"""

# %% [markdown] lang="en"
r"""
**Three: who is "it"?** The corpus of 6b.8 in Chinese and English, 512 and 4000 sentences with labels, a small BERT from scratch. For English and 512 sentences there is one that was pretrained, too: MiniLM from 5c with the same head, fine-tuned as a whole. Beside them a logistic regression that counts words.
"""

# %% tags=["experiment"]
reference_resolution = stored("reference_resolution")
if reference_resolution:
    verdict_of(reference_resolution)
    table_of(reference_resolution["figures"])

# %% [markdown] lang="zh"
r"""
## 6b.10 找错练习

下面的 `patient` 从头到尾回答一个问题：给文章开窗，一个窗一行地打分，找最好的一段，再决定到底有没有答案。它跑得起来，也常常答对，可是有**一个**毛病。别的班可能是别的毛病。

`patient(context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids)`：

| 参数 | 说明 |
|---|---|
| `context`、`question` | 整数的列表，文章和问题的词元；文章至少一个词元 |
| `score` | `score(token_ids, segment_ids)`：两个一样长的整数列表，一行的词元和片段号；返回两个浮点数组，这一行每个位置作为答案开头、结尾的分数 |
| `max_sequence_length`、`stride`、`max_answer` | 同 6b.6 和 6b.7；都够大，不会出错 |
| `threshold` | 数；空答案的分数比最好的一段高出**多于** `threshold`，才说没有答案。注意：和 6b.7 的图方向相反，这里 `threshold` 越大，越少说没有 |
| `special_ids` | 一对整数，[CLS] 和 [SEP] 的编号 |

一行是 [CLS] question [SEP] 窗 [SEP]，没有填充；片段号在第一个 [SEP] 为止是 0，后面是 1。最好的一段在所有窗里挑；空答案的分数是各窗 `null_score` 里**最小**的。**返回** `(first, last)`，答案在文章里的第一个和最后一个词元；没有答案就返回 `(-1, -1)`。

1. 先别盯着代码看，做实验：自己写一个 `score`，比如某个词元的分数特别高，放在问题里、文章开头、文章末尾、两个窗的交界，看它回答什么。把 `threshold` 调大调小呢？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `stride_as_overlap` | 把步长当成了相邻两个窗重叠的长度 |
| `last_window_lost` | 放不满的最后一个窗不要了，文章末尾没有人读 |
| `end_before_start` | 开头和结尾各自取最高分，结尾可能在开头前面 |
| `span_in_question` | 问题里的词元也可以当答案 |
| `place_in_window` | 返回的是在窗里的位置，不是在文章里的 |
| `null_of_last_window` | 空答案的分数只看最后一个窗 |
| `threshold_sign` | 空答案和阈值比的时候方向反了 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 6b.10 Debugging drill

`patient` below answers a question from beginning to end: it lays windows over the text, scores them row by row, finds the best span, and decides whether there is an answer at all. It runs, and its answer is often right, but it has **one** fault. Other classes may get other faults.

`patient(context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids)`:

| Argument | Notes |
|---|---|
| `context`, `question` | lists of ints, the tokens of text and question; the text has one at least |
| `score` | `score(token_ids, segment_ids)`: two lists of ints of one length, the tokens and the segments of a row; returns two float arrays, how well each place of the row would do as the answer's first and as its last token |
| `max_sequence_length`, `stride`, `max_answer` | as in 6b.6 and 6b.7; all large enough not to raise |
| `threshold` | a number; only if the score of "no answer" is above that of the best span by **more than** `threshold`, there is none. Mind that this is the other way round than in the picture of 6b.7: the larger `threshold` is here, the less often the answer is "none" |
| `special_ids` | pair of ints, the ids of [CLS] and [SEP] |

A row is [CLS] question [SEP] window [SEP], without padding; segments are 0 up to the first [SEP], and 1 after it. The best span is the best of all windows; the score of "no answer" is the **smallest** of the windows' `null_score`. **Returns** `(first, last)`, the answer's first and last token in the text, or `(-1, -1)` if there is none.

1. Don't stare at the code first; experiment: write a `score` of your own, say one that likes a single token very much, and put that token into the question, at the beginning of the text, at its end, or where two windows meet; what does it answer? And with a larger or smaller `threshold`?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `stride_as_overlap` | the step is taken for the length by which neighbouring windows overlap |
| `last_window_lost` | the last window is left out unless it is full, so nobody reads the end of the text |
| `end_before_start` | first and last tokens are chosen by themselves, so the last may be before the first |
| `span_in_question` | tokens of the question may be the answer |
| `place_in_window` | the places returned are those in the window, not those in the text |
| `null_of_last_window` | the score of "no answer" is the last window's only |
| `threshold_sign` | the comparison with the threshold goes the wrong way |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch06b_spans"
from drill import patient, suspect, repaired

# %% check="drill_ch06b_spans"
check("drill_ch06b_spans", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 6b.11 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）没有现成的标注器，也没有问答的头，要自己在 `BertBackbone` 上接一个全连接层。拼成一行它有：`keras_hub.layers.MultiSegmentPacker`。拿 `qa_windows` 开的每一个窗去拼，词元和片段号都应当跟自己拼的一样。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 6b.11 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has no ready-made tagger and no head for answers; you put a dense layer on `BertBackbone` yourself. What it has is the packing: `keras_hub.layers.MultiSegmentPacker`. Pack every window of `qa_windows` with it, and tokens and segments should be those that we pack. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("qa_windows"):
    try:
        from keras_hub.layers import MultiSegmentPacker
    except ImportError:
        MultiSegmentPacker = None
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
    if MultiSegmentPacker is not None:
        asked, told_ids = [11, 12, 13], list(range(100, 140))
        packer = MultiSegmentPacker(20, start_value=2, end_value=3, pad_value=0)
        for start, end in qa_windows(told_ids, asked, 20, 9):
            window = told_ids[start:end]
            theirs, their_segments = packer((asked, window))
            line = [2, *asked, 3, *window, 3]
            segments = [0] * (len(asked) + 2) + [1] * (len(window) + 1)
            padding = [0] * (20 - len(line))
            same = np.array_equal(theirs, line + padding)
            same &= np.array_equal(their_segments, segments + padding)
            print(f"{start:3}–{end:3}  MultiSegmentPacker  {'OK' if same else '!!'}")

# %% [markdown] lang="zh"
r"""
`MultiSegmentPacker` 遇到放不下的会**裁**，不会开窗，也不会说一声：文章后半截的答案就这样没了。开窗是你的事。
"""

# %% [markdown] lang="en"
r"""
What doesn't fit, `MultiSegmentPacker` **cuts**; it lays no windows, and says nothing: answers in the second half of the text are simply gone. Windows are up to you.
"""

# %% [markdown] lang="zh"
r"""
## 6b.12 常见误解

先逐句判断，再看数字。

1. 字的准确率到了 95 %，标注器就很好了。
2. 有了 BERT，标签自然前后一致，用不着 Viterbi。
3. 答案的开头和结尾各取最高分就行。
4. 步长越小越好。
5. BERT 答得出问题，说明它读懂了文章。
"""

# %% [markdown] lang="en"
r"""
## 6b.12 Myth box

Judge each sentence first, then look at the numbers.

1. A tagger that is right for 95 % of the words is a good one.
2. With BERT, tags agree with each other anyway, and Viterbi isn't needed.
3. The best first token and the best last token make the answer.
4. The smaller the step of the windows, the better.
5. If BERT answers a question, it has understood the text.
"""

# %% tags=["experiment"]
if shown:
    say(
        f"1. 全说 O：准确率 {outside:.3f}，找到的名字 0",
        f"1. all O: accuracy {outside:.3f}, names found 0",
    )
if by_transitions:
    (_, _, _, greedy_f1, illegal), (_, _, _, legal_f1, _) = list(by_transitions.values())[:2]
    say(
        f"2. 逐个取最高 F1 {greedy_f1:.3f}，{illegal} 句不合法；只走合法的路 {legal_f1:.3f}",
        f"2. each by itself F1 {greedy_f1:.3f}, {illegal} sentences not legal; legal paths "
        f"{legal_f1:.3f}",
    )
if reader_answers is not None:
    say(
        f"3. 各取最高：{beyond:.1%} 在窗外（问题里）；只在窗里取，{apart:.1%} 不合法",
        f"3. each by itself: outside of the window (in the question) {beyond:.1%}; inside, "
        f"{apart:.1%} not legal",
    )
for part, (count, cut) in list(by_step.items())[::2]:
    say(
        f"4. 步长 {part} · room：{count:.1f} 个窗，{cut:.1%} 断了",
        f"4. step {part} · room: {count:.1f} windows, {cut:.1%} cut",
    )
if reader_answers is not None:
    say(f"5. 只会数词的读者：完全答对 {exact:.3f}", f"5. the reader that counts: exact {exact:.3f}")

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 看上面第一行：什么也没找到，准确率也不低。多数字本来就是 O；要看按整个名字算的 F1。
2. **不一定。** 每个词元的标签是各自挑的，没有什么保证它们合起来合法。我们的标注器有多少句不合法，看上面第二行；模型强了，矛盾会少，可是 Viterbi 又不花什么，读的时候没有理由不用。
3. **错。** 总分最高的合法一段，和两端各自的最高分，不是一回事。窗外那个数是这个读者特有的；窗里的那个才是一般的毛病。
4. **不对。** 小到 room − n + 1，n 个词元的答案就都完整了；再小，只是多算几遍。（答案两边看得见多少上下文，倒是还会变。）
5. **说明不了。** 一个词义都不懂的读者，也能答对上面那么多，因为造出来的问题重复文章里的话。真的问答数据里也有这种线索；7c 专门来查。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** See the first line: not a single name was found, and most words are right all the same, because most words are O. The more of them, the less 95 % says; what counts is the F1 of whole names.
2. **Not necessarily.** Each token's tag is chosen by itself, and nothing makes sure that together they are legal. How many sentences of our tagger are not legal is in the second line above. A stronger model contradicts itself less; but since Viterbi costs next to nothing, there is no reason to read without it.
3. **Wrong.** The legal span with the highest total is one thing, the two highest scores are another. (The figure for outside is special to this reader; the one for inside is what happens in general.)
4. **No.** With a step of room − n + 1, all answers of n tokens are whole; below that, the same is computed more often. (How much context is seen on both sides of an answer does still change.)
5. **It doesn't show that.** A reader that doesn't know the meaning of a single word answers as many as you see above, because made questions repeat words of the text. Real sets have such cues, too; 7c looks for them.
"""

# %% [markdown] lang="zh" exercise="written_ch06b_spans"
r"""
## 6b.13 简答题

一位同事做了一个找药名的标注器，报告说：“词的准确率 98.2 %，比词典的 97.9 % 高，可以上线了。”再一问：测试集里 97.1 % 的词是 O；子词的标签全都写成了词的标签（`B-` 也照抄）；读的时候逐个取最高分。

用 150 字左右回答：这个数字说明什么、不说明什么？引用本章的两个数字（至少一个是你**自己跑出来的**）；指出他的做法里两处要改的地方，各会怎样影响按整个名字算的 F1；再说说你会看什么数、跟什么比，才同意上线。

这道题由老师评阅，不计入 42 分。好的回答里有两个数字（各说明什么）、两处毛病（各怎样影响 F1）和一条事先说好的标准。
"""

# %% [markdown] lang="en" exercise="written_ch06b_spans"
r"""
## 6b.13 Written question

A colleague has made a tagger that finds names of medicines, and reports: "98.2 % of the words are right, against 97.9 % for a dictionary; let's ship it." On being asked: 97.1 % of the test's words are O; all pieces of a word got the label of the word (`B-` was copied, too); and it is read by the best tag at each place.

Answer in about 100 words: what does the figure show, and what doesn't it? Quote two numbers of this notebook (at least one that **you ran yourself**); name two things to be changed in how it was done, and what each does to the F1 of whole names; and say which figure you would want to see, beside what, before you agree.

Your teacher reads this one; it is not part of the 42 points. A good answer has two numbers (and what each of them shows), two faults (and what each does to the F1) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 看出 98.2 % 跟“全说 O”的 97.1 % 比只高一点，按词的准确率被 O 撑着；引用两个数字（如 6b.1 的 O 的比例，6b.4 的准确率和 F1 的差距）。
2. 两处毛病说对：`B-` 抄到每个子词，一个名字在训练里成了几个，读出来也会断成几段，精确率和召回率都掉；逐个取最高会有不合法的串，用 Viterbi（或合法的转移）读，同一个模型的 F1 只会更合理。
3. 要看的是留出数据上按整个名字算的精确率、召回率、F1，跟同样标签的词典比，几个种子，标准事先说好；说到见过和没见过的名字分开算，更好。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Sees that 98.2 % is not much above the 97.1 % of "all O", so that accuracy of words is held up by O; quotes two numbers (such as the share of O in 6b.1, or the gap between accuracy and F1 in 6b.4).
2. Gets two faults right: with `B-` copied to every piece one name becomes several in training and is read in pieces, which costs precision and recall; the best tag at each place gives illegal sequences, which Viterbi (or legal transitions) avoids with the same model.
3. Wants precision, recall and F1 of whole names on held-out data, beside the dictionary with the same labels, over several seeds, with a criterion fixed beforehand; better still, seen and unseen names apart.
"""

# %% [markdown] lang="zh"
r"""
## 6b.14 小结：半页带走

| 任务 | 前 | 头 | 后 | 评分 |
|---|---|---|---|---|
| 标注 | 标签跟第一个子词，别处 −1 | D → C，每个词元 | Viterbi，读出片段 | 整个名字的 F1 |
| 抽取式问答 | 开窗，步长说清楚 | D → 2，每个词元 | 合法的一段里取最好，和 [CLS] 比 | 完全一样；词的 F1 |
| 指代 | 提及的掩码 | 成对的 3D → 1 | 候选之间 softmax | 准确率 |

**Viterbi。** $\text{best}_t[j] = \text{scores}[t, j] + \max_i(\text{best}_{t-1}[i] + \text{transitions}[i, j])$，记下 i，倒着走回来；$T C^2$ 步。

**两端。** BIO 读出的片段末端不含；问答的答案两端都含。换来换去的时候，差一个字就是错。

**四条规矩。** 按整个名字评分；先跟词典比；子词裁了，标签也要裁；问一句：答案会不会在第二个窗里？
"""

# %% [markdown] lang="en"
r"""
## 6b.14 Half a page to take with you

| Task | Before | Head | After | Score |
|---|---|---|---|---|
| tagging | the first piece has the label, elsewhere −1 | D → C, every token | Viterbi, then spans | F1 of whole names |
| extractive answers | windows, and say what the step is | D → 2, every token | the best legal span, against [CLS] | exact; F1 of words |
| coreference | masks of mentions | 3D → 1, every pair | softmax over candidates | accuracy |

**Viterbi.** $\text{best}_t[j] = \text{scores}[t, j] + \max_i(\text{best}_{t-1}[i] + \text{transitions}[i, j])$; remember i, and walk back; $T C^2$ steps.

**Ends.** A span read off BIO tags has an exclusive end; an answer has both ends in it. Where one becomes the other, one word more or less is wrong.

**Four rules.** Score whole names; compare with a dictionary first; when pieces are cut, cut the labels, too; and ask: might the answer be in the second window?
"""

# %% [markdown] lang="zh"
r"""
## 6b.15 接下来

- **6c** 让 BERT 动笔，再让它核对事实：答案既不是一个类，也不是原文里的一段。
- **7a** 看注意力的头：有没有哪个头，从代词看向它指的名词？
- **7c** 查它靠什么答对：问题和文章重复的词，是不是就够了？

想多跑几种任务：`bert-keras finetune` 的 `--task tagging`、`--task spans`、`--task coreference`，公开数据（CoNLL-2003、MSRA、SQuAD、CMRC 2018）的文件放进 `data.path` 就能读。想读原文：[BERT](https://arxiv.org/abs/1810.04805) 4.2、4.3 和 5.3 节；CoNLL 的评分办法见 [Tjong Kim Sang 和 De Meulder 2003](https://aclanthology.org/W03-0419/)；有问题没答案的 [SQuAD 2.0](https://arxiv.org/abs/1806.03822)。
"""

# %% [markdown] lang="en"
r"""
## 6b.15 Where next

- **6c** makes BERT write, and check facts: there the answer is neither a class nor a stretch of the text.
- **7a** looks at attention heads: is there one that looks from a pronoun to its noun?
- **7c** asks by what it answers: are the words that question and text share enough?

To try more: `bert-keras finetune` with `--task tagging`, `--task spans` or `--task coreference`; files of the public sets (CoNLL-2003, MSRA, SQuAD, CMRC 2018) are read from `data.path`. For the sources: sections 4.2, 4.3 and 5.3 of [BERT](https://arxiv.org/abs/1810.04805); how CoNLL scores in [Tjong Kim Sang and De Meulder 2003](https://aclanthology.org/W03-0419/); questions without answers in [SQuAD 2.0](https://arxiv.org/abs/1806.03822).
"""
