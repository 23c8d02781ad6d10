# %% [markdown] lang="zh"
r"""
# 5b 掩码语言模型：挖几个空，看着两边填

4b 的 GPT 只看左边，4a 的 ELMo 两边各看各的。BERT 要每一层都同时看两边。可是两边都看得见，“预测下一个词元”就等于看着答案抄答案。BERT 换了一道题：把一句话里的几个词元盖住，看着其余的把它们猜回来。这就是**掩码语言模型**（masked language model，MLM），就像英语考试里的完形填空。

这一章里，你写出这道题的全部：挑哪些词元，盖成什么样，怎么猜，怎么算分；再加上 BERT 的第二道题“下一句预测”（next sentence prediction，NSP）。然后训练一个小 BERT，把它的损失拆开来看，跟只会数数的模型比一比。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `choose_mask_positions` | 6 | 20 | 核心 | 每行挑 15% 的普通词元，四舍五入，至少一个；特殊词元不挑 | 造出来的编号 |
| `apply_mlm_mask` | 6 | 20 | 核心 | 80% 换成 [MASK]，10% 换成随机词元，10% 不动；答案是**原来的**词元 | 造出来的编号 |
| `whole_word_positions` | 5 | 15 | 加分 | 一个词要么全挑，要么不挑；放不下就跳过 | 词的编号 |
| `MaskedLMHead` | 6 | 20 | 核心 | 先取出要猜的位置；输出层与词元嵌入表共用参数 | 随机张量 |
| `mlm_loss` | 4 | 12 | 核心 | 除以用上的槽位数加 $10^{-5}$，不是全部槽位数 | 手算的两个槽位 |
| `nsp_pairs` | 5 | 15 | 核心 | 0 = 是下一句；假的那句来自**别的**文档 | 造出来的句子 |
| `Pooler` | 3 | 6 | 核心 | 第一个词元，过一个 Dense，再 tanh | 随机张量 |
| `NextSentenceHead` | 2 | 4 | 核心 | 两个 logits，第 0 个是“是下一句” | 随机张量 |
| `pretraining_loss` | 4 | 10 | 核心 | 两个损失直接相加，不加权 | 随机张量 |
| `drill_ch05b_masked_lm` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch05b_masked_lm` | 0 | 12 | 核心 | 老师评阅，不计入 47 分 | 本章的图和数字 |

核心练习 42 分，加分题 5 分。只做练习两个半小时左右，连同实验大约三小时；想分两次做，就在 5b.7 之前歇一歇。

做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`，有错的地方想看提示，就点开；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 5b The masked language model: dig holes, look both ways, fill them

GPT in 4b sees the left side only, and ELMo in 4a sees each side by itself. BERT wants every layer to see both. But with both sides in view, "guess the next token" means copying the answer off the page. So BERT asks another question: hide some tokens of a sentence, and guess them back from all the others. This is the **masked language model** (MLM), known from school as a cloze test.

In this notebook you write all of that question: which tokens to pick, what to put in their place, how to guess, how to score; and BERT's second question, next sentence prediction (NSP). Then you train a small BERT, take its loss apart, and compare it with models that only count.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `choose_mask_positions` | 6 | 20 | core | 15 % of the ordinary tokens of each row, rounded, one at least; no special tokens | made-up ids |
| `apply_mlm_mask` | 6 | 20 | core | 80 % become [MASK], 10 % a random token, 10 % stay; the answers are the **original** tokens | made-up ids |
| `whole_word_positions` | 5 | 15 | stretch | a word is taken whole or not at all; one that doesn't fit is passed over | numbers of words |
| `MaskedLMHead` | 6 | 20 | core | pick the positions first; the output shares the token table | random tensors |
| `mlm_loss` | 4 | 12 | core | divided by the number of used slots plus $10^{-5}$, not by all slots | two slots by hand |
| `nsp_pairs` | 5 | 15 | core | 0 = is the next one; a false one comes from **another** document | made-up sentences |
| `Pooler` | 3 | 6 | core | the first token, a Dense, then tanh | random tensors |
| `NextSentenceHead` | 2 | 4 | core | two logits, number 0 is "is next" | random tensors |
| `pretraining_loss` | 4 | 10 | core | both losses are added as they are, without weights | random tensors |
| `drill_ch05b_masked_lm` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch05b_masked_lm` | 0 | 12 | core | read by your teacher, not part of the 47 points | the pictures and numbers of this notebook |

42 core points and 5 to stretch for. The exercises take about two and a half hours, with the experiments about three; if you make it two sittings, just before 5b.7 is a good place to pause.

Working, hints, saving and handing in go as in the earlier notebooks: run `check(...)` under each exercise and, where something is wrong, open the hints if you want them; when you come back, run the cells from the top **in order**.
"""

# %%
import math

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.blind_guess import blind_loss
from bert_keras.analysis.mask_strips import KEPT, MASKED, RANDOM, UNTOUCHED, mask_strips
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.layers.transformer import EncoderBlock

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 5b.1 两边都看，答案就漏了

先试一个最省事的办法：题目还是“预测下一个词元”，只是让每个位置两边都看，唯独不许看它要预测的那一个。这样的掩码很好写：位置 t 哪里都可以看，就是不能看位置 t + 1。

下面拿几个没训练过的编码器块（encoder block）试试：换掉位置 4 上的词元，看位置 3 的输出动不动，它要预测的正是位置 4。**先猜**：叠一块、两块、三块，各动不动？
"""

# %% [markdown] lang="en"
r"""
## 5b.1 See both sides, and the answer leaks out

First the cheapest idea: the task is still "guess the next token", but every position sees both sides, all but the one token that it has to guess. Such a mask is easy to write: position t may look at everything except token t + 1.

The next cell tries it with some untrained encoder blocks: swap token 4, and see whether the output at position 3 moves, which is the one that has to guess token 4. **Predict**: with one block, with two, with three?
"""

# %% tags=["experiment"]
keras.utils.set_random_seed(0)
blocks = [EncoderBlock(2, 16, 32, dropout=0.0) for _ in range(3)]
before = np.random.default_rng(0).normal(size=(1, 8, 16))
swapped = before.copy()
swapped[0, 4] = np.random.default_rng(1).normal(size=16)
may_look = ops.convert_to_tensor(~np.eye(8, k=1, dtype=bool)[None])  # all but the next one


def through(x, count):
    x = tensor(x)
    for block in blocks[:count]:
        x, _ = block(x, attention_mask=may_look)
    return np.asarray(x)[0]


for count in (1, 2, 3):
    moved = np.abs(through(swapped, count) - through(before, count))[3].max()
    say(f"{count} 块：位置 3 动了 {moved:.3f}", f"blocks: {count}, position 3 moves by {moved:.3f}")

# %% [markdown] lang="zh"
r"""
只有一块时，确实没漏。叠到两块就漏了：第二块里，位置 3 看的是**别的位置的输出**，而那些位置在第一块里早就看过位置 4 了。不许自己看，挡不住别人转告。

GPT 的办法是谁也不许看右边，也就谁都不知道答案；ELMo 的办法是两个方向各走各的，互不通气。BERT 的办法是：把要猜的词元从**输入里**拿掉，原地放一个记号 [MASK]。输入里都没有了，叠多少块也没人可以转告。

这个办法有代价：4b 里一句话的每个位置都能拿来训练，这里只有盖住的那几个能。盖多了，句子就看不懂；盖少了，学得慢。所以这一章要一步一步定下来：挑哪些，挑几个，盖成什么样。

先把文字读进来：1998 年 1 月的《人民日报》，取两千多段。一个字是一个词元，一段算一篇**文档**。（读文件要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
With one block nothing leaks. With two it does: in the second block position 3 looks at the **outputs of other positions**, and those have seen token 4 in the first. You may be forbidden to look, and still be told.

GPT's way out is that nobody looks to the right, so nobody knows; ELMo's is that the two directions never talk to each other. BERT's is to take the token out of the **input**, and put a mark in its place, [MASK]. What isn't in the input can't be passed on, however many blocks there are.

This has a price: in 4b every position of a sentence could be trained, and here only the hidden ones can. Hide many, and the sentence makes no sense any more; hide few, and learning is slow. So this notebook settles, step by step, which ones to pick, how many, and what to put in their place.

First some text: a few hundred articles of BBC news. A token is a piece of a word, as WordPiece cuts it (5a), and each article is a **document**. (Reading takes a few seconds.)
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import bbc_news, peoples_daily
from bert_keras.text.packing import pack_batch
from bert_keras.text.vocabulary import build_character_vocabulary, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize

documents = None  # filled by the next cell

# %% tags=["experiment"]
if LANG == "zh":
    corpus = peoples_daily.load()
    parts = {
        name: [[*p.sentences] for p in corpus[name] if len(p.sentences) > 1]
        for name in ("train", "test")
    }
    words_of_text = (w for d in parts["train"] for s in d for w in basic_tokenize(s, True))
    vocabulary = build_character_vocabulary(words_of_text, minimum_count=40)
else:
    articles = {}
    corpus = bbc_news.load()
    for name in ("train", "test"):
        for paragraph in corpus[name]:
            articles.setdefault((name, paragraph.document), []).extend(paragraph.sentences)
    parts = {
        part: [sentences for (name, _), sentences in articles.items() if name == part]
        for part in ("train", "test")
    }
    every_fifth = [s for d in parts["train"][::5] for s in d]
    vocabulary = train_wordpiece_vocabulary(every_fifth, size=2000)

KEPT_DOCUMENTS = {"zh": (2400, 240), "en": (320, 32)}[LANG]
rng = np.random.default_rng(0)
documents, test_documents = (
    [parts[name][n] for n in rng.permutation(len(parts[name]))[:count]]
    for name, count in zip(("train", "test"), KEPT_DOCUMENTS)
)
tokenizer = WordPieceTokenizer(vocabulary)
SPECIAL, ORDINARY = vocabulary.special_ids.tolist(), vocabulary.ordinary_ids.tolist()
ids_of = {s: tokenizer.encode(s) for d in (*documents, *test_documents) for s in d}
count = sum(len(ids_of[s]) for d in documents for s in d)
say(
    f"{len(documents)} 篇文档，{count} 个词元；词表 {len(vocabulary)}，"
    f"其中特殊词元 {len(SPECIAL)} 个",
    f"{len(documents)} documents, {count} tokens; {len(vocabulary)} in the vocabulary, "
    f"{len(SPECIAL)} of them special",
)
for sentence in documents[0][:2]:
    print(" ".join(vocabulary.words(ids_of[sentence])))

# %% [markdown] lang="zh"
r"""
## 5b.2 练习：挑哪些词元

BERT 的规矩：每行挑 15% 的词元来猜。[CLS]、[SEP]、填充不是文字，不挑；[UNK] 也不挑：猜出那里是个“不认识的词”，学不到什么。各行长短不一，挑的个数也就不同，可是张量得是长方形的，所以每行给 P 个**槽位**，用不完的空着，另有一个数组说明哪些用上了：

```text
token_ids       [CLS] 今  天  天  气  很  好  [SEP] pad pad     T = 10
普通词元              ✓   ✓   ✓   ✓   ✓   ✓                    N = 6
挑几个          round(0.15 × 6) = round(0.9) = 1
mask_positions    4   0   0                                     P = 3
mask_weights      1   0   0
```

写 `choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed)`：给一批句子的每一行挑出要猜的位置。

| 参数 | 形式 | 说明 |
|---|---|---|
| `token_ids` | (B, T) 整数，NumPy 数组 | 一批句子；[CLS]、[SEP] 和填充也在里面 |
| `special_ids` | 整数列表 | 不能挑的编号：[PAD]、[UNK]、[CLS]、[SEP]、[MASK]；别的都是**普通**词元，编号是 0 的、站在位置 0 上的也算 |
| `mask_rate` | 0 到 1 之间的数 | 挑普通词元的几成，BERT 用 0.15 |
| `max_predictions` | 整数，至少是 1 | 每行的槽位数 P；一行挑出来的不会更多 |
| `seed` | 整数 | 随机数的种子：`np.random.default_rng(seed)` |

- 一行里有 N 个普通词元，就挑 $n = \max(1, \mathrm{round}(\text{mask\_rate} \cdot N))$ 个，但不超过 N，也不超过 P。一个普通词元也没有的行，一个也不挑。（正好是几点五的情形不检查。）
- 挑 n 个**不同的**普通位置，随便哪 n 个，机会都一样。各行各挑各的。
- **返回**一对数组，形状都是 (B, P)：`mask_positions`，整数，挑中的位置从小到大排在前面，空着的槽位填 0；`mask_weights`，float32，用上的槽位是 1，空着的是 0。P 比 T 大时也照样是 P 列。
- 同一个 `seed` 调用两次，结果相同；换一个，结果就换。`token_ids` 别改动。这是准备数据，用 NumPy 就好；不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
## 5b.2 Exercise: which tokens

BERT's rule: 15 % of the tokens of each row are picked to be guessed. [CLS], [SEP] and padding are no text and never picked; nor is [UNK], for it is of no use to know that "some unknown word" stood there. Rows differ in length, and so in the number of picks, but tensors are rectangular. So every row has P **slots**, some of them unused, and a second array says which are in use:

```text
token_ids       [CLS] the cat sat on the mat [SEP] pad pad     T = 10
ordinary               ✓   ✓   ✓   ✓   ✓   ✓                   N = 6
how many        round(0.15 × 6) = round(0.9) = 1
mask_positions    4   0   0                                    P = 3
mask_weights      1   0   0
```

Write `choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed)`, which picks the positions to guess in every row of a batch.

| Argument | Form | Notes |
|---|---|---|
| `token_ids` | (B, T) ints, a NumPy array | a batch of sentences, [CLS], [SEP] and padding included |
| `special_ids` | a list of ints | ids that must not be picked: [PAD], [UNK], [CLS], [SEP], [MASK]; all others are **ordinary** tokens, even where the id or the position is 0 |
| `mask_rate` | a number from 0 to 1 | which share of the ordinary tokens to pick; BERT takes 0.15 |
| `max_predictions` | an int, at least 1 | the number P of slots in a row; no row has more picks |
| `seed` | an int | seed of the random numbers: `np.random.default_rng(seed)` |

- Of N ordinary tokens in a row, $n = \max(1, \mathrm{round}(\text{mask\_rate} \cdot N))$ are picked, but no more than N, and no more than P. A row without ordinary tokens has no picks. (Exact halves are not checked.)
- Pick n **different** ordinary positions, any n with the same chance. Every row picks for itself.
- **Returns** a pair of arrays, both of shape (B, P): `mask_positions`, ints, the picked positions first and in ascending order, 0 in unused slots; and `mask_weights`, float32, 1 in used slots and 0 in unused ones. There are P columns even where P is larger than T.
- The same `seed` twice gives the same result, another one another result. Don't change `token_ids`. This is preparation of data, and NumPy is all it takes; you needn't check the arguments.
"""


# %% exercise="choose_mask_positions"
def choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed):
    """Pick the positions to guess: a share of the ordinary tokens of every row, at random.

    Args:
        token_ids: int array of shape (B, T).
        special_ids: list of int, ids that are never picked.
        mask_rate: float, the share of the ordinary tokens to pick, one at least.
        max_predictions: int, the number P of slots in a row.
        seed: int, of the random numbers.

    Returns:
        mask_positions: int array of shape (B, P), ascending; 0 in unused slots, which come last.
        mask_weights: float32 array of shape (B, P), 1 in used slots, 0 in unused ones.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(seed)
    mask_positions = np.zeros((len(token_ids), max_predictions), "int32")  # (B, P)
    mask_weights = np.zeros((len(token_ids), max_predictions), "float32")  # (B, P)
    for row, ids in enumerate(token_ids):
        ordinary = np.flatnonzero(~np.isin(ids, special_ids))  # where ordinary tokens stand
        count = max(1, round(mask_rate * len(ordinary)))
        count = min(count, len(ordinary), max_predictions)
        mask_positions[row, :count] = np.sort(rng.choice(ordinary, count, replace=False))
        mask_weights[row, :count] = 1.0
    return mask_positions, mask_weights
    ### END SOLUTION


# %% check="choose_mask_positions"
check("choose_mask_positions", choose_mask_positions)

# %% tags=["experiment"]
if documents and ready("choose_mask_positions"):
    T, P = 32, 6
    known = [s for d in test_documents for s in d if vocabulary.unk_id not in ids_of[s]]
    example = next(s for s in known if 18 <= len(ids_of[s]) <= 24)
    row = pack_batch([(ids_of[example], None)], vocabulary, T)["token_ids"]  # (1, T)
    many = np.repeat(row, 4000, axis=0)
    places, weights = choose_mask_positions(many, SPECIAL, 0.15, P, seed=1)
    picked = np.bincount(np.asarray(places)[np.asarray(weights) > 0], minlength=T) / len(many)
    ordinary = ~np.isin(row[0], SPECIAL)
    budget = round(0.15 * ordinary.sum())
    print(" ".join(vocabulary.words(row[0][row[0] != vocabulary.pad_id])))
    words = chart_words(LANG)
    with chart(1, width=6.5) as (axis,):
        for special, i, name in (
            (False, 0, words("普通词元", "ordinary tokens")),
            (True, 1, words("特殊词元、填充", "special tokens, padding")),
        ):
            at = np.flatnonzero(ordinary != special)
            label = dict(color=COLOURS[i], marker=MARKERS[i], linestyle="", label=name)
            axis.plot(at, picked[at], **label)
        axis.axhline(
            budget / ordinary.sum(),
            color=COLOURS[2],
            linestyle=STYLES[1],
            label=words(f"{budget} / {ordinary.sum()}", f"{budget} / {ordinary.sum()}"),
        )
        axis.set(xlabel=words("位置", "position"), ylim=(-0.01, 0.25))
        axis.set_ylabel(words("4000 次里挑中的比例", "picked, share of 4000 draws"))
        axis.legend(frameon=False, ncols=3, loc="upper center")
    for n in (1, 2, 5, 10, 20, 40, 100):
        line = np.full((1, n), ORDINARY[0])
        found = int(np.sum(choose_mask_positions(line, SPECIAL, 0.15, 20, seed=0)[1]))
        say(
            f"{n:3} 个普通词元：挑 {found} 个，{found / n:.0%}",
            f"{n:3} ordinary tokens: {found} picked, {found / n:.0%}",
        )

# %% [markdown] lang="zh"
r"""
每个普通词元的机会一样，特殊词元和填充一次也没挑中。再看那张小表：“至少一个”和四舍五入，使得很短的句子挑的比 15% 多得多，两个词元里就要挑一个。训练用的行一般有几十上百个词元，那里就很接近 15% 了。
"""

# %% [markdown] lang="en"
r"""
All ordinary tokens have the same chance, special tokens and padding were never picked. And the little table: rounding, and "at least one", make very short sentences lose far more than 15 %, one token of two. Rows for training have dozens or hundreds of tokens, and there it is close to 15 %.
"""

# %% [markdown] lang="zh"
r"""
## 5b.3 练习：盖成什么样

挑中了，要不要全都换成 [MASK]？那样的话，模型只在有 [MASK] 的地方干活；可是微调时的输入里，一个 [MASK] 也没有。BERT 的办法是掺一掺：挑中的里头，八成换成 [MASK]，一成换成随便一个词元，一成不动。这样，站在那里的哪怕是个普通的词，模型也得想一想：它对不对？

不管换成什么，**要猜的都是原来的词元**。所以先记下答案，再动手；而且是在拷贝上动手。

写 `apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed)`：

| 参数 | 形式 | 说明 |
|---|---|---|
| `token_ids` | (B, T) 整数，NumPy 数组 | 原来的句子，**别改动** |
| `mask_positions` | (B, P) 整数 | 挑中的位置，`choose_mask_positions` 给的；同一行里用上的各不相同 |
| `mask_weights` | (B, P) float32 | 1 = 这个槽位用上了，0 = 空着 |
| `mask_id` | 整数 | [MASK] 的编号 |
| `ordinary_ids` | 整数列表或数组 | 普通词元的编号，随机词元从这里抽，每个机会相同 |
| `seed` | 整数 | `np.random.default_rng(seed)` |

- 每个用上的槽位**各抽各的签**：80% 的机会，那个位置换成 `mask_id`；10% 的机会，换成从 `ordinary_ids` 里抽的一个（抽到原来的那个也算数）；10% 的机会，不动。
- 空着的槽位里写的位置是 0，那里通常站着 [CLS]：什么也别做。用上的槽位也可能是位置 0；用没用上，只看 `mask_weights`。
- **返回**一对：改过的一批（整数 (B, T)，新的数组），和 `mask_ids`（整数 (B, P)）：**原来**在那里的词元，空着的槽位填 0。不管换成了什么，答案都是原来的那个。
- 同一个 `seed` 调用两次，结果相同；换一个，结果就换。
"""

# %% [markdown] lang="en"
r"""
## 5b.3 Exercise: what to put in their place

Should all that was picked become [MASK]? Then the model would only ever work where there is a [MASK]; and in fine-tuning there is not a single one in the input. BERT mixes: of the picked ones, four fifths become [MASK], one tenth any token at all, and one tenth stay. So even where an ordinary word stands, the model has to ask itself whether it is right.

Whatever comes in its place, **what has to be guessed is the original token**. So write the answers down first and change things afterwards, and change them in a copy.

Write `apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed)`:

| Argument | Form | Notes |
|---|---|---|
| `token_ids` | (B, T) ints, a NumPy array | the sentences as they were; **don't change it** |
| `mask_positions` | (B, P) ints | the picked positions, from `choose_mask_positions`; those in use differ within a row |
| `mask_weights` | (B, P) float32 | 1 = the slot is in use, 0 = it isn't |
| `mask_id` | an int | the id of [MASK] |
| `ordinary_ids` | a list or array of ints | ids of ordinary tokens; random tokens are drawn from here, all with the same chance |
| `seed` | an int | `np.random.default_rng(seed)` |

- Every slot in use **makes its own random draw**: with a chance of 80 % its position becomes `mask_id`; with 10 % one drawn from `ordinary_ids` (it may happen to be the original); with 10 % it stays as it is.
- An unused slot holds position 0, where [CLS] usually stands: do nothing. A slot in use may hold position 0, too; only `mask_weights` says which are in use.
- **Returns** a pair: the corrupted batch (ints (B, T), a new array), and `mask_ids` (ints (B, P)): the tokens that were there **originally**, 0 in unused slots. Whatever came in its place, the answer is the original.
- The same `seed` twice gives the same result, another one another result.
"""


# %% exercise="apply_mlm_mask"
def apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed):
    """Corrupt the picked positions of a copy, and keep the original tokens as answers.

    Every slot in use draws for itself: 80 % [MASK], 10 % a random ordinary token, 10 % unchanged.

    Args:
        token_ids: int array of shape (B, T), left as it is.
        mask_positions: int array of shape (B, P), the picked positions.
        mask_weights: float array of shape (B, P), 1 in used slots, 0 in unused ones.
        mask_id: int, of [MASK].
        ordinary_ids: list of int, what a random token is drawn from.
        seed: int, of the random numbers.

    Returns:
        corrupted: int array of shape (B, T), a new one.
        mask_ids: int array of shape (B, P), the original tokens; 0 in unused slots.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(seed)
    corrupted = np.array(token_ids)  # (B, T), a copy
    mask_ids = np.zeros(np.shape(mask_positions), corrupted.dtype)  # (B, P)
    for row, slot in np.argwhere(mask_weights):
        place = mask_positions[row, slot]
        mask_ids[row, slot] = token_ids[row, place]
        draw = rng.random()  # one draw decides: below 0.8, below 0.9, or above
        if draw < 0.8:
            corrupted[row, place] = mask_id
        elif draw < 0.9:
            corrupted[row, place] = rng.choice(ordinary_ids)
    return corrupted, mask_ids
    ### END SOLUTION


# %% check="apply_mlm_mask"
check("apply_mlm_mask", apply_mlm_mask)

# %% [markdown] lang="zh"
r"""
**看一看。** 同一句话盖三遍，每遍换一个种子。下面一行小字是答案：不管上面显示什么，要猜的都是它。（随机的词元是从整个词表里抽的，所以多半很怪。第三遍特意选了一个有“不动”的种子，好让三种都露个面。）
"""

# %% [markdown] lang="en"
r"""
**See it.** One sentence, hidden three times with three seeds. The small print below is the answer: whatever is shown above it, that is what has to be guessed. (A random token comes from the whole vocabulary, so it usually looks odd. The third seed was chosen to have a kept token, so that all three fates can be seen.)
"""


# %% tags=["experiment"]
def masked_rows(token_ids, seed, rate=0.15, slots=10):
    """Your two functions, one after the other; the seeds of the two must differ."""
    places, weights = choose_mask_positions(token_ids, SPECIAL, rate, slots, seed=2 * seed)
    corrupted, mask_ids = apply_mlm_mask(
        token_ids, places, weights, vocabulary.mask_id, ORDINARY, seed=2 * seed + 1
    )
    return corrupted, places, mask_ids, weights


def fates_of(corrupted, places, mask_ids, weights):
    """What became of every slot: MASKED, RANDOM or KEPT; UNTOUCHED where it is not in use."""
    shown = np.take_along_axis(np.asarray(corrupted), np.asarray(places), axis=1)  # (B, P)
    fates = np.where(shown == vocabulary.mask_id, MASKED, RANDOM)
    fates = np.where(shown == mask_ids, KEPT, fates)
    return np.where(np.asarray(weights) > 0, fates, UNTOUCHED)


def strip_of(originals, corrupted, places, mask_ids, weights, starts=None):
    """One row as words of (token, what is shown, fate), for `mask_strips`."""
    fates = np.zeros(len(originals), int)
    used = np.asarray(weights) > 0
    fates[np.asarray(places)[used]] = fates_of(
        corrupted[None], places[None], mask_ids[None], weights[None]
    )[0][used]
    words_shown = []
    for t, (was, now, fate) in enumerate(zip(originals, corrupted, fates)):
        if was == vocabulary.pad_id:
            break
        cell = (*vocabulary.words([was, now]), int(fate))
        if t and starts is not None and not starts[t]:
            words_shown[-1].append(cell)
        else:
            words_shown.append([cell])
    return words_shown


LEGEND = (
    text("换成 [MASK]", "[MASK]"),
    text("换成随机词元", "a random token"),
    text("不动", "kept"),
)
if documents and ready("choose_mask_positions", "apply_mlm_mask"):
    with_kept = (seed for seed in range(3, 99) if KEPT in fates_of(*masked_rows(row, seed)))
    groups = []
    for n, seed in enumerate((1, 2, next(with_kept)), start=1):
        parts_of_row = [array[0] for array in masked_rows(row, seed)]
        groups.append((text(f"第 {n} 遍", f"draw {n}"), strip_of(row[0], *parts_of_row)))
    display(mask_strips(groups, LEGEND))

# %% [markdown] lang="zh"
r"""
**再数一数。** 六百句话，各盖一遍，数一数三种下场各有多少。**先猜**：全部普通词元里，真正变成 [MASK] 的占几成？
"""

# %% [markdown] lang="en"
r"""
**Count.** Six hundred sentences, hidden once each, and what became of all their tokens. **Predict**: of all ordinary tokens, which share really becomes [MASK]?
"""

# %% tags=["experiment"]
if documents and ready("choose_mask_positions", "apply_mlm_mask"):
    T = 64
    some_sentences = [s for d in documents for s in d if 20 <= len(ids_of[s]) <= 60][:600]
    rows = pack_batch([(ids_of[s], None) for s in some_sentences], vocabulary, T)["token_ids"]
    parts_of_rows = masked_rows(rows, seed=0)
    fates = fates_of(*parts_of_rows)
    ordinary = int((~np.isin(rows, SPECIAL)).sum())
    chosen = int((fates != UNTOUCHED).sum())
    for fate, name in zip((MASKED, RANDOM, KEPT), LEGEND):
        count = int((fates == fate).sum())
        say(
            f"{name}：挑中的里占 {count / chosen:.1%}，全部普通词元里占 {count / ordinary:.1%}",
            f"{name}: {count / chosen:.1%} of the picked, {count / ordinary:.1%} of all "
            "ordinary tokens",
        )
    seen = np.zeros(rows.shape, bool)
    for seed in range(1, 11):
        corrupted, places, mask_ids, weights = masked_rows(rows, seed)
        used = np.asarray(weights) > 0
        seen[np.nonzero(used)[0], np.asarray(places)[used]] = True
        if seed in (1, 3, 10):
            say(
                f"每轮重新盖，{seed} 轮下来，猜过的词元占 {seen.sum() / ordinary:.0%}",
                f"masks drawn anew, epochs: {seed}, tokens that were guessed: "
                f"{seen.sum() / ordinary:.0%}",
            )

# %% [markdown] lang="zh"
r"""
“BERT 把 15% 的词元换成 [MASK]”这句话到处都有，它不对：挑中 15%，其中八成换成 [MASK]，所以是 12%。另有 1.5% 换成随机词元，1.5% 原样不动。

还有一件事：盖一次就定下来、每一轮都用同样的掩码，叫**静态掩码**；每一轮重新盖，叫**动态掩码**（static / dynamic masking）。静态的话，没盖过的那 85% 永远也轮不到；动态的话，十轮下来，八成的词元都猜过了（$1 - 0.85^{10} = 0.80$）。原来的 BERT 折中：同一段文字预先盖十种样子，轮着用。5b.11 也这样，盖六种。
"""

# %% [markdown] lang="en"
r"""
"BERT replaces 15 % of the tokens by [MASK]" stands in many places, and it is wrong: 15 % are picked, four fifths of these become [MASK], and that is 12 %. Another 1.5 % each become a random token, or stay.

One more thing: to draw the masks once and use them in every epoch is called **static masking**; to draw them anew in every epoch is **dynamic masking**. With static masking the 85 % that weren't hidden never get their turn; with dynamic masking four fifths of the tokens have been guessed after ten epochs ($1 - 0.85^{10} = 0.80$). The original BERT took a middle way: ten versions of every text, made beforehand and used in turn. 5b.11 does the same, with six.
"""

# %% [markdown] lang="zh"
r"""
## 5b.4 加分题：整个词一起盖

“中华人民共[MASK]国”太好填了：同一个词的其余几个字都露在外面。2019 年 5 月，BERT 的作者发布了另一种盖法，**全词掩码**（whole word masking）：要盖就把整个词一起盖。中文的哈工大版 BERT 也这样盖，词的边界靠分词工具。

```text
词元       [CLS] 我  爱  北  京  天  安  门  [SEP]
word_ids    -1   0   1   2   2   3   3   3   -1
mask_rate = 0.25，预算 n = round(0.25 × 7) = round(1.75) = 2
先轮到“天安门”（3 个），放不下，跳过；再轮到“北京”（2 个），拿走
```

写 `whole_word_positions(word_ids, mask_rate, max_predictions, seed)`，只管一行：

- `word_ids`：(T,) 整数，NumPy 数组：每个词元属于第几个词。同一个词的词元号码相同，不同的词号码不同；特殊词元和填充是 −1，不能挑。号码不一定从 0 开始，也不一定连着。
- `mask_rate`、`max_predictions`、`seed` 同 `choose_mask_positions`。预算也照它的办法算，**按词元数**：$n = \max(1, \mathrm{round}(\text{mask\_rate} \cdot N))$，N 是普通词元的个数；不超过 N，也不超过 `max_predictions`。
- 把词随机排个次序（哪种次序机会都一样），一个一个地看：它的词元数不超过**剩下的**预算，就整个拿走；放不下就跳过，接着看下一个词。
- **返回**挑中的位置，从小到大的列表（或数组）。所有的词都放不下时，就是空的。
"""

# %% [markdown] lang="en"
r"""
## 5b.4 Stretch: hide whole words

In "the jug [MASK] was unforgettable" the gap is no riddle: the first piece of its own word stands in full view. In May 2019 the authors of BERT released another way of masking, **whole word masking**: if a word is hidden, all of its pieces are. (In Chinese, where a token is a character, the words come from a segmentation.)

```text
tokens     [CLS] the  jug ##gler was  un ##for ##get ##table [SEP]
word_ids    -1    0    1    1     2    3   3     3      3     -1
mask_rate = 0.25, budget n = round(0.25 × 8) = 2
first comes "unforgettable" (4 pieces), too long, passed over; then "juggler" (2), taken
```

Write `whole_word_positions(word_ids, mask_rate, max_predictions, seed)`, for one row:

- `word_ids`: (T,) ints, a NumPy array: the number of the word that each token belongs to. Tokens of one word have the same number, different words different ones; special tokens and padding have −1 and can't be picked. Numbers needn't start from 0, nor follow each other.
- `mask_rate`, `max_predictions` and `seed` as in `choose_mask_positions`. The budget is worked out as there, **in tokens**: $n = \max(1, \mathrm{round}(\text{mask\_rate} \cdot N))$ with N ordinary tokens, but no more than N, and no more than `max_predictions`.
- Put the words in random order (every order with the same chance) and look at one after the other: if it has no more tokens than are **left** of the budget, take all of it; if it doesn't fit, pass it over and go on with the next.
- **Returns** the picked positions in ascending order, a list (or array). Where no word fits, it is empty.
"""


# %% exercise="whole_word_positions"
def whole_word_positions(word_ids, mask_rate, max_predictions, seed):
    """Pick whole words of one row at random, as long as their tokens fit into the budget.

    Args:
        word_ids: int array of shape (T,), the word of each token; -1 at special tokens and padding.
        mask_rate: float, the share of the tokens to pick; the budget is one token at least.
        max_predictions: int, no more tokens are picked.
        seed: int, of the random numbers.

    Returns:
        list of int, the picked positions, ascending.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(seed)
    ordinary = word_ids[word_ids >= 0]
    left = min(max(1, round(mask_rate * len(ordinary))), len(ordinary), max_predictions)
    picked = []
    for word in rng.permutation(np.unique(ordinary)):
        places = np.flatnonzero(word_ids == word).tolist()
        if len(places) <= left:
            picked += places
            left -= len(places)
    return sorted(picked)
    ### END SOLUTION


# %% check="whole_word_positions"
check("whole_word_positions", whole_word_positions)

# %% [markdown] lang="zh"
r"""
**看一看：单个盖，还是整词盖。** 词的边界来自北京大学的切分：这份报纸，每个词都有人切开过。同一句话，两种盖法并排，挨在一起的方框是一个词（画图时挑 30%，看得清楚些）。然后在六百句话上数一数：挑中的词元里，有多少是“同一个词的另一部分还露在外面”的？
"""

# %% [markdown] lang="en"
r"""
**See it: single tokens, or whole words.** A word is a piece without "##" and the "##" pieces behind it. One sentence, both ways below each other; boxes that touch are one word (30 % are picked, so that there is more to see). Then a count over six hundred sentences: of the tokens that were picked, how many have another part of their own word in full view?
"""

# %% tags=["experiment"]
from bert_keras.text.words import encode_words, word_starts

if documents and ready("choose_mask_positions", "apply_mlm_mask", "whole_word_positions"):
    if LANG == "zh":
        cut = {
            s: w for p in (*corpus["train"], *corpus["test"]) for s, w in zip(p.sentences, p.words)
        }
        starts_of = {s: encode_words(s, cut[s], tokenizer)[1] for s in (*some_sentences, *known)}
    else:
        starts_of = {
            s: word_starts(np.array(ids_of[s]), vocabulary) for s in (*some_sentences, *known)
        }

    def word_numbers(sentence, token_ids):
        """The number of the word of every token; -1 at special tokens and padding."""
        numbers = np.full(len(token_ids), -1)
        inside = slice(1, 1 + len(ids_of[sentence]))
        numbers[inside] = np.cumsum(starts_of[sentence])
        numbers[np.isin(token_ids, SPECIAL)] = -1
        return numbers

    def slots_of(positions, slots=10):
        """A list of positions as one row of slots."""
        places, weights = np.zeros((1, slots), int), np.zeros((1, slots), "float32")
        places[0, : len(positions)], weights[0, : len(positions)] = positions, 1.0
        return places, weights

    def in_view(numbers, positions):
        """How many of the positions belong to a word of which another token was not picked."""
        hidden = set(positions)
        others = [set(np.flatnonzero(numbers == numbers[t])) - hidden for t in positions]
        return sum(map(bool, others))

    long_words = [s for s in known if 18 <= len(ids_of[s]) <= 30 and ".." not in s]
    example = min(long_words, key=lambda s: np.mean(starts_of[s]))  # the longest words
    row = pack_batch([(ids_of[example], None)], vocabulary, 40)["token_ids"]
    numbers = word_numbers(example, row[0])
    starts = np.concatenate([[1], starts_of[example], np.ones(40)])
    groups = []
    for name, positions in (
        (text("单个词元", "single"), None),
        (text("整个词", "whole words"), whole_word_positions(numbers, 0.3, 10, seed=3)),
    ):
        if positions is None:
            places, weights = choose_mask_positions(row, SPECIAL, 0.3, 10, seed=3)
        else:
            places, weights = slots_of(positions)
        corrupted, mask_ids = apply_mlm_mask(
            row, places, weights, vocabulary.mask_id, ORDINARY, seed=5
        )
        arrays = (row, corrupted, places, mask_ids, weights)
        groups.append((name, strip_of(*(np.asarray(array)[0] for array in arrays), starts)))
    display(mask_strips(groups, LEGEND))

    shares = {"single": [0, 0], "words": [0, 0]}
    places, weights = choose_mask_positions(rows, SPECIAL, 0.15, 10, seed=4)
    for n, sentence in enumerate(some_sentences):
        numbers = word_numbers(sentence, rows[n])
        single = [int(t) for t, w in zip(places[n], weights[n]) if w > 0]
        whole = [int(t) for t in whole_word_positions(numbers, 0.15, 10, seed=n)]
        for name, positions in (("single", single), ("words", whole)):
            shares[name][0] += in_view(numbers, positions)
            shares[name][1] += len(positions)
    for name, label in (
        ("single", text("单个词元", "single")),
        ("words", text("整个词", "whole words")),
    ):
        hinted, total = shares[name]
        say(
            f"{label}：挑中 {total} 个词元，其中 {hinted / total:.0%} 有同一个词的另一部分露在外面",
            f"{label}: {total} tokens picked, {hinted / total:.0%} of them with another part "
            "of the word in view",
        )

# %% [markdown] lang="zh"
r"""
单个盖，挑中的词元大半还看得见同一个词的其余部分，不读整句话也能猜；整词盖，这条捷径就断了。题目难了，损失自然也高：两种盖法的损失不能直接比，要放到同一套掩码上去考（5b.12）。
"""

# %% [markdown] lang="en"
r"""
With single tokens, some gaps can be filled from the rest of their own word, without reading the sentence. Whole words close this shortcut. They make the question harder and so the loss higher: losses under the two can't be compared, unless both models are examined on one and the same set of masks (5b.12).
"""

# %% [markdown] lang="zh"
r"""
## 5b.5 练习：猜词的头

编码器给出 (B, T, D)，要猜的只有每行 P 个位置。猜法和 4b 一样：跟词元嵌入表的每一行做点积，查表进来，也用同一张表出去（权重共享，tied weights）。不过在点积之前，BERT 多放了一层：Dense、GELU、层归一化，好让编码器的输出不必直接长得像嵌入。

```text
sequence_output (B, T, D)   mask_positions (B, P)
        └── 取出 ──────────────┘
   (B, P, D)
        │ Dense → GELU → 层归一化
   (B, P, D)      token_table (V, D)
        └── 点积 ─────┘  + output_bias (V,)
   (B, P, V)
```

写这一层的 `call(sequence_output, mask_positions, token_table)`。构造函数和 `build` 已经写好（`activation`、`layer_norm_epsilon`），里面有四个属性：

| 属性 | 是什么 |
|---|---|
| `self.dense` | Dense，D 维到 D 维，**不带**激活函数 |
| `self.activation` | 激活函数，默认是 GELU |
| `self.layer_norm` | 层归一化 |
| `self.output_bias` | (V,)，每个词元一个偏置，开始时是 0 |

- `sequence_output`：浮点 (B, T, D)，编码器最后一层的输出；`mask_positions`：整数 (B, P)，空着的槽位是 0，照样算，损失会给它权重 0；`token_table`：浮点 (V, D)，词元嵌入表。
- **先**按 `mask_positions` 取出 (B, P, D)，再依次过 Dense、激活函数、层归一化，最后跟 `token_table` 的每一行做点积，加上偏置（只加一次）。
- **返回** (B, P, V) 的 logits，不做 softmax。
- 梯度要回到 `token_table`。只用 `ops`；训练时，B 是几事先不知道。取出用 `ops.take_along_axis(sequence_output, index, axis=1)`，其中 `index` 要多一轴：(B, P, 1)。
"""

# %% [markdown] lang="en"
r"""
## 5b.5 Exercise: the head that guesses

The encoder gives (B, T, D), and only P positions of each row have to be guessed. Guessing works as in 4b: by dot products with every row of the token table; tokens enter by that table and leave by it (tied weights). But BERT puts one more layer before the dot product: Dense, GELU and a layer normalisation, so that the encoder's output needn't look like embeddings itself.

```text
sequence_output (B, T, D)   mask_positions (B, P)
        └── gather ────────────┘
   (B, P, D)
        │ Dense → GELU → layer norm
   (B, P, D)      token_table (V, D)
        └── dot product ─┘  + output_bias (V,)
   (B, P, V)
```

Write `call(sequence_output, mask_positions, token_table)` of this layer. The constructor and `build` are there (`activation`, `layer_norm_epsilon`), and with them four attributes:

| Attribute | What it is |
|---|---|
| `self.dense` | a Dense from D to D numbers, **without** an activation function |
| `self.activation` | the activation function, GELU unless said otherwise |
| `self.layer_norm` | a layer normalisation |
| `self.output_bias` | (V,), one bias for each token, 0 to begin with |

- `sequence_output`: float (B, T, D), the output of the encoder's last layer; `mask_positions`: ints (B, P), 0 in unused slots, which are computed like the others and get weight 0 in the loss; `token_table`: float (V, D), the token embeddings.
- **First** take (B, P, D) out by `mask_positions`; these go through the Dense, the activation and the norm, in this order; then take dot products with every row of `token_table` and add the bias (once).
- **Returns** logits (B, P, V), before any softmax.
- The gradient has to reach `token_table`. Use `ops` only; B is unknown in training. To take positions out there is `ops.take_along_axis(sequence_output, index, axis=1)`, where `index` needs one more axis: (B, P, 1).
"""


# %% exercise="MaskedLMHead"
class MaskedLMHead(keras.layers.Layer):
    """Guess the tokens at the masked positions, with the token table as output layer.

    Args:
        activation: name or callable, between the dense layer and the norm.
        layer_norm_epsilon: float, added to the variance inside the root.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, activation="gelu", layer_norm_epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon = layer_norm_epsilon

    def build(self, sequence_output_shape, mask_positions_shape, token_table_shape):
        vocabulary_size, hidden_dim = token_table_shape
        self.dense = keras.layers.Dense(hidden_dim, name="dense")
        self.dense.build((None, None, sequence_output_shape[-1]))
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=self.layer_norm_epsilon, name="layer_norm"
        )
        self.layer_norm.build((None, None, hidden_dim))
        self.output_bias = self.add_weight(
            shape=(vocabulary_size,), initializer="zeros", name="output_bias"
        )

    def call(self, sequence_output, mask_positions, token_table):
        """Score every token of the vocabulary at every masked position.

        Args:
            sequence_output: float tensor of shape (B, T, D).
            mask_positions: int tensor of shape (B, P).
            token_table: float tensor of shape (V, D), the token embeddings.

        Returns:
            float tensor of shape (B, P, V), logits.
        """
        ### BEGIN SOLUTION
        index = ops.expand_dims(mask_positions, axis=-1)  # (B, P, 1)
        x = ops.take_along_axis(sequence_output, index, axis=1)  # (B, P, D)
        x = self.layer_norm(self.activation(self.dense(x)))  # (B, P, D)
        return ops.matmul(x, ops.transpose(token_table)) + self.output_bias  # (B, P, V)
        ### END SOLUTION


# %% check="MaskedLMHead"
check("MaskedLMHead", MaskedLMHead)

# %% [markdown] lang="zh"
r"""
**算一算：先取出来，省多少？** 一次乘法或一次加法记 1 次浮点运算。打分那一步是 (B, P, D) 乘 (D, V)，要 $2BPDV$ 次；要是先给**每个位置**都打了分再挑，就是 $2BTDV$ 次。跟编码器本身比一比：一块里，四个投影是 $8D^2$，前馈网络是 $4DF$，注意力里的两次乘法是 $4TD$，都按一个词元算。下面是两种大小：BERT-base，和后面 5b.12 里存有结果的小模型（词表 4019 个字）。**先猜**：哪个模型更吃不消打分？
"""

# %% [markdown] lang="en"
r"""
**Work it out: what does gathering first save?** One multiplication or one addition is one FLOP. Scoring is a product of (B, P, D) and (D, V), which takes $2BPDV$; to score **every position** and pick afterwards would take $2BTDV$. Compare with the encoder itself: in one block the four projections take $8D^2$, the feed-forward network $4DF$ and the two products of attention $4TD$, each for one token. Two sizes: BERT-base, and the small one whose stored results come in 5b.12 (it reads Chinese, and its vocabulary has 4019 characters). **Predict**: which of them suffers more from scoring?
"""

# %% tags=["experiment"]
SIZES = {
    "BERT-base": dict(L=12, D=768, F=3072, T=512, V=30522, P=76),
    text("5b.12 的小 BERT", "BERT of 5b.12"): dict(L=2, D=64, F=256, T=64, V=4019, P=9),
}
words = chart_words(LANG)
with chart(1, width=6, height=2.6) as (axis,):
    for n, (name, s) in enumerate(SIZES.items()):
        block = 8 * s["D"] ** 2 + 4 * s["D"] * s["F"] + 4 * s["T"] * s["D"]
        encoder = s["T"] * s["L"] * block
        scoring = {"all": 2 * s["T"] * s["D"] * s["V"], "picked": 2 * s["P"] * s["D"] * s["V"]}
        for i, (kind, flops) in enumerate(scoring.items()):
            label = {
                "all": words("每个位置都打分", "score all"),
                "picked": words("先取出来", "gather first"),
            }
            axis.barh(
                n + 0.2 - 0.4 * i,
                flops / encoder,
                height=0.36,
                color=COLOURS[i],
                hatch=("", "//")[i],
                edgecolor="white",
                label=label[kind] if n == 0 else None,
            )
        every, few = (flops / encoder for flops in scoring.values())
        say(
            f"{name}：打分相当于编码器的 {every:.0%}，先取出来是 {few:.0%}",
            f"{name}: scoring costs {every:.0%} of the encoder, gathered first {few:.0%}",
        )
    axis.axvline(1, color="black", linewidth=0.8, linestyle=":")
    axis.set_yticks(range(len(SIZES)), SIZES)
    axis.set_xlabel(words("打分的浮点运算 ÷ 编码器的", "FLOPs of scoring ÷ of the encoder"))
    axis.legend(frameon=False)
gigabytes = 32 * 512 * 30522 * 4 / 1e9
say(
    f"还有内存：32 句、每句 512 个词元，全部 logits 要 {gigabytes:.1f} GB，"
    f"先取出来是 {gigabytes * 76 / 512:.1f} GB",
    f"And memory: for 32 rows of 512 tokens all logits take {gigabytes:.1f} GB, gathered first "
    f"{gigabytes * 76 / 512:.1f} GB",
)

# %% [markdown] lang="zh"
r"""
模型越小，词表就显得越大：小 BERT 要是给每个位置都打分，打分比整个编码器贵得多。先取出来，两种大小都只要 15% 左右的价钱，而且**结果一模一样**：Dense、GELU、归一化、点积都是一个位置一个位置算的，先取后取没有分别。
"""

# %% [markdown] lang="en"
r"""
The smaller the model, the larger its vocabulary looks: if the small BERT scored every position, scoring would cost far more than the whole encoder. Gathered first, both sizes pay about 15 % of that price, and the **result is exactly the same**: Dense, GELU, norm and dot product work on each position by itself, and it makes no difference whether you pick before or after.
"""

# %% [markdown] lang="zh"
r"""
## 5b.6 练习：猜词的损失

**手算一遍。** 四个槽位，用上了两个。模型给这两个答案的概率是 $1/2$ 和 $1/4$；空着的两个，随便它给多少。损失是 $(\ln 2 + \ln 4) / 2 = 1.04$ 奈特（nat）。要是除以全部槽位数 4，就成了 0.52：句子越短、空槽位越多，损失看着越“好”，其实什么也没变。

写 `mlm_loss(logits, mask_ids, mask_weights)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `logits` | (B, P, V) | 浮点；没有做过 softmax |
| `mask_ids` | (B, P) | 整数，原来的词元；空着的槽位是 0 |
| `mask_weights` | (B, P) | 浮点，1 = 用上了，0 = 空着 |

- **返回**一个数，float32，形状 ()：整批里用上的槽位的交叉熵之和，除以（用上的个数 + $10^{-5}$），单位奈特。不是先在每行里平均。
- 算不算只看 `mask_weights`：编号 0 也可能是个真的答案。
- 一个槽位也没用上时返回 0，不能是 NaN；那 $10^{-5}$ 就是为此加的。
- logits 相差上百时也要稳当。只用 `ops`；不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
## 5b.6 Exercise: the loss of the guesses

**Once by hand.** Four slots, two of them in use. The model gave these two answers probabilities of $1/2$ and $1/4$; what it gave in the unused ones doesn't matter. The loss is $(\ln 2 + \ln 4) / 2 = 1.04$ nats. Divided by all 4 slots it would be 0.52: the shorter the rows and the more unused slots, the "better" it would look, while nothing has changed.

Write `mlm_loss(logits, mask_ids, mask_weights)`:

| Argument | Shape | Notes |
|---|---|---|
| `logits` | (B, P, V) | float; before any softmax |
| `mask_ids` | (B, P) | ints, the original tokens; 0 in unused slots |
| `mask_weights` | (B, P) | float, 1 = in use, 0 = not |

- **Returns** one number, float32 of shape (): the sum of the cross-entropies of all used slots of the batch, divided by (their number + $10^{-5}$), in nats. Not a mean of the rows' means.
- Only `mask_weights` says what counts: id 0 may be a real answer.
- Without any used slot it gives 0, never NaN; that is what the $10^{-5}$ is there for.
- It has to be stable for logits hundreds apart. Use `ops` only; you needn't check the arguments.
"""


# %% exercise="mlm_loss"
def mlm_loss(logits, mask_ids, mask_weights):
    """Average the cross-entropy over the slots in use, and over nothing else.

    Args:
        logits: float tensor of shape (B, P, V).
        mask_ids: int tensor of shape (B, P), the original tokens.
        mask_weights: float tensor of shape (B, P), 1 in used slots, 0 in unused ones.

    Returns:
        float32 tensor of shape (), in nats: the sum divided by the number of used slots + 1e-5.
    """
    ### BEGIN SOLUTION
    log_shares = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)  # (B, P, V)
    index = ops.expand_dims(mask_ids, axis=-1)  # (B, P, 1)
    surprise = -ops.take_along_axis(log_shares, index, axis=-1)[..., 0]  # (B, P)
    mask_weights = ops.cast(mask_weights, "float32")
    return ops.sum(surprise * mask_weights) / (ops.sum(mask_weights) + 1e-5)
    ### END SOLUTION


# %% check="mlm_loss"
check("mlm_loss", mlm_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 三个假模型，猜上面那六百句里前一百句盖住的词元：一个对什么都打一样的分；一个是**复读机**，输入里站着谁，就给谁打高分；一个按**词频**打分，不看句子。先看损失，再看另一种算法：要是把没挑中的位置也算进去（答案就是它们自己），复读机的损失会是多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** Three fake models guess what is hidden in the first hundred of the six hundred sentences above: one scores everything alike; one is a **parrot**, which gives a high score to whatever stands in the input; one scores by **frequency** and never looks at the sentence. Then another way to count: if the positions that were not picked counted, too (their answers being what stands there), what would the parrot's loss be?
"""

# %% tags=["experiment"]
if documents and ready("choose_mask_positions", "apply_mlm_mask", "mlm_loss"):
    V = len(vocabulary)
    few = 100  # rows; logits for a whole vocabulary are large
    corrupted, places, mask_ids, weights = (np.asarray(a)[:few] for a in parts_of_rows)
    counts = np.zeros(V)
    for document in documents:
        for s in document:
            np.add.at(counts, ids_of[s], 1)
    counts[SPECIAL] = 0
    frequency = (counts + 1) / (counts + 1).sum()
    frequency[SPECIAL] = 1e-9

    def parrot(token_ids):
        return 12.0 * np.eye(V, dtype="float32")[token_ids]

    shown = np.take_along_axis(corrupted, places, axis=1)
    shape = (*places.shape, V)
    fakes = {
        text("一视同仁", "all alike"): np.zeros(shape, "float32"),
        text("复读机", "parrot"): parrot(shown),
        text("词频", "frequency"): np.broadcast_to(np.log(frequency), shape),
    }
    for name, fake_logits in fakes.items():
        loss = float(mlm_loss(tensor(fake_logits), mask_ids, weights))
        print(f"{name}  {loss:.2f}")
    print("ln V =", round(math.log(V), 2))
    everywhere = (rows[:few] != vocabulary.pad_id).astype("float32")
    loss = float(mlm_loss(tensor(parrot(corrupted)), rows[:few], everywhere))
    say(f"复读机，每个位置都算：{loss:.2f}", f"parrot, all positions counted: {loss:.2f}")

# %% [markdown] lang="zh"
r"""
只算挑中的位置，复读机比一视同仁的还差：挑中的里头，九成已经不是原来的词元了。每个位置都算，它的损失一下子掉到 1.5 上下，比哪个老实的模型都低，因为大多数位置的答案就站在输入里，照抄就行。**损失低得可疑，先查都算了哪些位置。**

词频那一个数请记住。它一句话也没读过，只知道哪些词元常见；比不过它的模型，等于什么也没学。可是比它低，就算学到东西了吗？5b.11 回头再说。
"""

# %% [markdown] lang="en"
r"""
With picked positions only, the parrot is worse than a model that scores everything alike: nine tenths of what was picked isn't the original token any more. With all positions counted its loss suddenly drops to about 1.6, below any honest model, since most answers stand in the input, to be copied. **If a loss is too good to be true, look at which positions were counted.**

Keep the number for frequency in mind. It has never read a sentence, and only knows which tokens are common; a model that can't beat it has learnt nothing. But does a model that beats it know something? 5b.11 comes back to this.
"""

# %% [markdown] lang="zh"
r"""
## 5b.7 练习：下一句是真是假

很多任务要看两段文字的关系：后面这句回答了前面的问题吗？推得出来吗？只会填空的模型，没有专门学过“两段”。于是 BERT 加了第二道题：给两段文字，猜后一段是不是真的接在前一段后面。一半真，一半假；假的从别的文档里抽。（BERT 用的是一段一段的长文字，这里用单句，道理一样。）

写 `nsp_pairs(documents, seed)`：

- `documents`：文档的列表，每篇文档是句子（字符串）的列表，至少有一句。只有一句的文档配不出对子，但它的那句可以被别的文档抽去。
- 每篇文档里每两个相邻的句子配**一**对，按原来的次序：文档一篇接一篇，句子一句接一句。一半的机会是（这一句，它的下一句，0）；另一半的机会是（这一句，抽来的一句，1），抽来的那句出自**别的**文档：别的文档里的全部句子，每一句机会相同。每一对各抽各的签。
- 标签 **0 = 是下一句**，1 = 不是。BERT 就是这样定的，跟直觉相反，要记住。
- `seed`：整数，`np.random.default_rng(seed)`。同一个种子，结果相同；换一个，结果就换。
- **返回**三元组的列表。
- 只有一篇文档（或一篇也没有）时，抛出 `ValueError`：假的下一句无处可抽。
"""

# %% [markdown] lang="en"
r"""
## 5b.7 Exercise: is the next sentence real?

Many tasks are about how two texts relate: does the second answer the first? Does it follow? A model that only fills gaps has never practised on two. So BERT adds a second question: given two texts, did the second really come after the first? In half of the pairs it did; in the others the second text is drawn from another document. (BERT takes longer stretches of text; single sentences show the same.)

Write `nsp_pairs(documents, seed)`:

- `documents`: a list of documents, each a list of sentences (strings), one at least. A document of one sentence makes no pair, but its sentence may be drawn for others.
- Every two neighbouring sentences of a document make **one** pair, in their order: document after document, sentence after sentence. With a chance of one half it is (the sentence, the one after it, 0); otherwise (the sentence, one that is drawn, 1), and that one comes from the **other** documents: all of their sentences have the same chance. Every pair makes its own random draws.
- The label is **0 = is next**, 1 = is not. That is how BERT has it, against all intuition, so keep it in mind.
- `seed`: an int, for `np.random.default_rng(seed)`. The same seed gives the same result, another one another.
- **Returns** a list of triples.
- A single document (or none) raises `ValueError`: there is nowhere to draw a false sentence from.
"""


# %% exercise="nsp_pairs"
def nsp_pairs(documents, seed):
    """Pair every sentence with the next one, or with one of another document.

    Args:
        documents: list of lists of str, the sentences of each document.
        seed: int, of the random numbers.

    Returns:
        list of triples (first, second, label); label 0 where the second is the next sentence, 1
        where it was drawn from the other documents.

    Raises:
        ValueError: there are fewer than two documents.
    """
    ### BEGIN SOLUTION
    if len(documents) < 2:
        raise ValueError("wrong next sentences come from other documents: give two at least")
    rng = np.random.default_rng(seed)
    pairs = []
    for number, sentences in enumerate(documents):
        others = [s for other in (*documents[:number], *documents[number + 1 :]) for s in other]
        for first, following in zip(sentences, sentences[1:]):
            if rng.random() < 0.5:
                pairs.append((first, following, 0))
            else:
                pairs.append((first, others[rng.integers(len(others))], 1))
    return pairs
    ### END SOLUTION


# %% check="nsp_pairs"
check("nsp_pairs", nsp_pairs)

# %% [markdown] lang="zh"
r"""
**看一看。** 用真的文档配一回，各看两对；再试一个笨办法：不读句子，只看第二句里有多少词元在第一句里出现过，能猜对多少？“真的下一句”和“别处抽来的”，这个比例差多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** Pairs from real documents, two of each kind. And an old question: how many can be told by counting the words that the two share, without reading? What share of the second sentence's tokens also stand in the first, for real pairs and for drawn ones?
"""

# %% tags=["experiment"]
if documents and ready("nsp_pairs"):
    pairs = nsp_pairs(documents, seed=0)
    labels = np.array([label for _, _, label in pairs])
    for label in (0, 1):
        for first, second, _ in [pair for pair in pairs if pair[2] == label][:2]:
            print(label, *(s if len(s) <= 60 else s[:60] + "…" for s in (first, second)), sep=" | ")
    say(
        f"{len(pairs)} 对，标签是 1 的占 {labels.mean():.3f}",
        f"{len(pairs)} pairs, {labels.mean():.3f} of them with label 1",
    )

    def overlap(first, second):
        return np.mean([i in set(ids_of[first]) for i in ids_of[second]] or [0.0])

    shared = np.array([overlap(first, second) for first, second, _ in pairs])
    for label in (0, 1):
        say(
            f"标签 {label}：第二句的词元有 {shared[labels == label].mean():.0%} 在第一句里出现过",
            f"label {label}: {shared[labels == label].mean():.0%} of the second sentence's "
            "tokens stand in the first",
        )
    half = len(pairs) // 2
    cuts = np.quantile(shared[:half], np.linspace(0.05, 0.95, 19))
    best = max(cuts, key=lambda cut: np.mean((shared[:half] < cut) == labels[:half]))
    by_overlap = float(np.mean((shared[half:] < best) == labels[half:]))
    say(
        f"数共有的词元、划一条线来猜：对 {by_overlap:.1%}",
        f"counting shared tokens and drawing a line: {by_overlap:.1%} right",
    )

# %% [markdown] lang="zh"
r"""
只数共有的词元，就比瞎猜（50%）强得多：真的下一句和上一句讲的是同一件事，抽来的多半不是。所以“下一句预测”很大程度上是在问**主题一不一样**，用不着懂前后两句怎么接。这个数请记住，5b.11 的小 BERT 要跟它比。这是对它最常见的批评；后来的 ALBERT 换了一道题：把相邻的两句对调，问次序对不对（sentence order prediction）。
"""

# %% [markdown] lang="en"
r"""
Counting shared tokens does clearly better than guessing (50 %): a real next sentence is about the same thing, a drawn one mostly isn't. So next sentence prediction asks to a good part whether the **topic is the same**, and for that nobody needs to know how one sentence leads to the next. Keep the number in mind; the small BERT of 5b.11 will be compared with it. This is the criticism most often heard; ALBERT later asked something else: swap two neighbouring sentences, and tell whether the order is right (sentence order prediction).
"""

# %% [markdown] lang="zh"
r"""
## 5b.8 练习：一句话变一个向量

“是不是下一句”问的是整个输入，答案该从哪里读？BERT 让每行的第一个词元 [CLS] 专管这件事：它自己没有意思，正好用来装整行的意思。取出它的输出，过一层 Dense 和 tanh，就是整行的向量。

写这一层的 `call(sequence_output)`。构造函数和 `build` 已经写好（`hidden_dim`），里面有 `self.dense`：Dense，到 D 维，**不带**激活函数。

- `sequence_output`：浮点 (B, T, D')，编码器的输出；第一个词元是 [CLS]，填充在右边。
- **返回** (B, D)：第一个词元的输出，过 `self.dense`，再过 tanh。不是平均，也不看别的位置。
"""

# %% [markdown] lang="en"
r"""
## 5b.8 Exercise: a sentence becomes a vector

Whether it is the next sentence is a question about the whole input; where should the answer be read? BERT gives this job to [CLS], the first token of each row: it has no meaning of its own, and is free to hold that of the whole row. Its output goes through a Dense and a tanh, and that is the vector of the row.

Write `call(sequence_output)` of this layer. The constructor and `build` are there (`hidden_dim`), and with them `self.dense`: a Dense to D numbers, **without** an activation function.

- `sequence_output`: float (B, T, D'), the output of the encoder; the first token is [CLS], padding stands on the right.
- **Returns** (B, D): the output at the first token, through `self.dense`, then through tanh. It is no mean, and looks at no other position.
"""


# %% exercise="Pooler"
class Pooler(keras.layers.Layer):
    """Turn the output at [CLS], the first token, into a vector for the whole sequence.

    Args:
        hidden_dim: int, the size D of the vector.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.dense = keras.layers.Dense(hidden_dim, name="dense")

    def build(self, input_shape):
        self.dense.build((None, input_shape[-1]))

    def call(self, sequence_output):
        """Pool every sequence of the batch.

        Args:
            sequence_output: float tensor of shape (B, T, any).

        Returns:
            float tensor of shape (B, D), between -1 and 1.
        """
        ### BEGIN SOLUTION
        return ops.tanh(self.dense(sequence_output[:, 0]))  # (B, D)
        ### END SOLUTION


# %% check="Pooler"
check("Pooler", Pooler)

# %% [markdown] lang="zh"
r"""
**看一看。** 造一批“编码器的输出”，改动一个位置，看向量动不动。
"""

# %% [markdown] lang="en"
r"""
**See it.** Made-up outputs of an encoder: change one position, and see whether the vector moves.
"""

# %% tags=["experiment"]
if ready("Pooler"):
    keras.utils.set_random_seed(4)
    pooler = Pooler(8)
    states_of_pooler = np.random.default_rng(4).normal(size=(1, 5, 8))
    vector = np.asarray(pooler(tensor(states_of_pooler)))
    moved = []
    for t in range(5):
        other = states_of_pooler.copy()
        other[0, t] += 1.0
        moved.append(np.abs(np.asarray(pooler(tensor(other))) - vector).max())
    say("依次改动位置 0 到 4：", "changing positions 0 to 4:")
    print("  ".join(f"{m:.3f}" for m in moved))

# %% [markdown] lang="zh"
r"""
只有第 0 个位置管用。这不等于 BERT 只看 [CLS]：编码器的每一块里，[CLS] 都看过整句话，该知道的早就搬到那一格里了。池化层（pooler）做的只是最后一道手续。名字容易让人误会：它不是平均池化。
"""

# %% [markdown] lang="en"
r"""
Only position 0 matters. That doesn't mean BERT only looks at [CLS]: in every block of the encoder [CLS] has looked at the whole sequence, and what is worth knowing was carried there. The pooler is only the last formality. Its name misleads: it is no mean pooling.
"""

# %% [markdown] lang="zh"
r"""
## 5b.9 练习：真假两个分

最后一步小得不能再小：从向量到两个分。单列出来，是因为“哪个是 0”太容易记反。

写这一层的 `call(pooled_output)`。构造函数和 `build` 已经写好，里面有 `self.dense`：Dense，到 2 维，不带激活函数。

- `pooled_output`：浮点 (B, D)，`Pooler` 给的。
- **返回** (B, 2) 的 logits：第 0 个是“是下一句”，第 1 个是“不是”。不做 softmax：损失会做。
"""

# %% [markdown] lang="en"
r"""
## 5b.9 Exercise: two scores, real or not

The last step could hardly be smaller: from the vector to two scores. It is an exercise of its own because it is so easy to mix up which is number 0.

Write `call(pooled_output)` of this layer. The constructor and `build` are there, and with them `self.dense`: a Dense to 2 numbers, without an activation function.

- `pooled_output`: float (B, D), from `Pooler`.
- **Returns** logits (B, 2): number 0 is "is next", number 1 "is not". No softmax: the loss does that.
"""


# %% exercise="NextSentenceHead"
class NextSentenceHead(keras.layers.Layer):
    """Guess whether the second segment followed the first in its text.

    Args:
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(2, name="dense")

    def build(self, input_shape):
        self.dense.build((None, input_shape[-1]))

    def call(self, pooled_output):
        """Score both classes.

        Args:
            pooled_output: float tensor of shape (B, D).

        Returns:
            float tensor of shape (B, 2), logits: is next, is not next.
        """
        ### BEGIN SOLUTION
        return self.dense(pooled_output)  # (B, 2)
        ### END SOLUTION


# %% check="NextSentenceHead"
check("NextSentenceHead", NextSentenceHead)

# %% [markdown] lang="zh"
r"""
## 5b.10 练习：两个损失加起来

BERT 预训练时，两道题一起做，损失直接相加：

$$L = L_{\text{MLM}} + L_{\text{NSP}}$$

两项各是自己那道题的平均，猜词那一项不会因为词元多就压倒另一项。分开的两个数也要返回：光看总和，看不出是哪一道题在进步。

写 `pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `mlm_logits` | (B, P, V) | 浮点，猜词的 logits |
| `next_sentence_logits` | (B, 2) | 浮点，`NextSentenceHead` 给的 logits |
| `mask_ids` | (B, P) | 整数，原来的词元 |
| `mask_weights` | (B, P) | 浮点，1 = 用上了 |
| `next_sentence_label` | (B,) | 整数，0 = 是下一句；**0 也是一类**，照样要算 |

- 猜词的损失就是 `mlm_loss`（检查时换成标准答案）；真假的损失是交叉熵对 B 对句子的平均。
- **返回**三个数 `(loss, mlm, nsp)`，都是 float32，形状 ()：`loss = mlm + nsp`，直接相加。只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
## 5b.10 Exercise: two losses added

In BERT's pretraining both questions are asked at once, and the losses are added:

$$L = L_{\text{MLM}} + L_{\text{NSP}}$$

Both are means over their own answers, so neither drowns the other by its number. The two parts are returned as well: the sum alone doesn't tell which of the questions gets better.

Write `pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label)`:

| Argument | Shape | Notes |
|---|---|---|
| `mlm_logits` | (B, P, V) | float, the logits of the guessed tokens |
| `next_sentence_logits` | (B, 2) | float, the next-sentence logits, from `NextSentenceHead` |
| `mask_ids` | (B, P) | ints, the original tokens |
| `mask_weights` | (B, P) | float, 1 = in use |
| `next_sentence_label` | (B,) | ints, 0 = is next; **0 is a class like the other** and counts |

- The loss of the guessed tokens is `mlm_loss` (in the check it is the reference's); that of the sentences is the cross-entropy, averaged over the B pairs.
- **Returns** three numbers `(loss, mlm, nsp)`, all float32 of shape (): `loss = mlm + nsp`, added as they are. Use `ops` only.
"""


# %% exercise="pretraining_loss"
def pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label):
    """Add the two losses that BERT is pretrained with.

    Args:
        mlm_logits: float tensor of shape (B, P, V).
        next_sentence_logits: float tensor of shape (B, 2): is next, is not next.
        mask_ids: int tensor of shape (B, P), the original tokens.
        mask_weights: float tensor of shape (B, P), 1 in used slots, 0 in unused ones.
        next_sentence_label: int tensor of shape (B,), 0 = is next.

    Returns:
        Three float32 tensors of shape (), in nats: the sum, the loss of the masked tokens, and
        that of the sentences.
    """
    ### BEGIN SOLUTION
    mlm = mlm_loss(mlm_logits, mask_ids, mask_weights)
    scores = ops.cast(next_sentence_logits, "float32")
    per_pair = ops.sparse_categorical_crossentropy(
        next_sentence_label, scores, from_logits=True
    )  # (B,)
    nsp = ops.mean(per_pair)
    return mlm + nsp, mlm, nsp
    ### END SOLUTION


# %% check="pretraining_loss"
check("pretraining_loss", pretraining_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 什么都不会的模型，两个损失各是多少？先猜，再运行。
"""

# %% [markdown] lang="en"
r"""
**See it.** A model that knows nothing: what are its two losses? Predict first.
"""

# %% tags=["experiment"]
if ready("mlm_loss", "pretraining_loss"):
    nothing = ops.zeros((4, 3, 1000)), ops.zeros((4, 2))
    answers = np.ones((4, 3), "int32"), np.ones((4, 3), "float32"), np.array([0, 1, 0, 1])
    print([round(float(value), 3) for value in pretraining_loss(*nothing, *answers)])
    print("ln 1000 + ln 2 =", f"{math.log(1000):.3f} + {math.log(2):.3f}")

# %% [markdown] lang="zh"
r"""
## 5b.11 用一用：训练一个小 BERT，把损失拆开看

零件齐了。编码器用课程库的 `BertBackbone`（就是 3b 的块，加上 5a 的输入），头、池化和损失都是你的，文字由你的函数来配对、来盖。

用 Python 一行一行地盖，每一步都重来的话太慢。所以学 BERT 的作者：训练之前，每一对句子先盖好几种样子（他们十种，这里六种），攒成一大批行，训练时反复用。每行只有 16 个词元，两句话里各截一段，从哪里截起是随机的。行短，要找的线索就那么几处，几百步就能看出名堂。

训练时看的是一个平均的损失，可是挑中的位置有三种下场，难度差得很远。所以每隔一阵，就在**留出的**文档上量一回，把三种位置**分开**算：

- 换成 [MASK] 的：只能靠上下文猜；
- 换成随机词元的：先得看出“这里不对劲”，再猜；
- 没动的：答案就站在输入里。

同时请来三个只会数数的对手：

- **词频**：`UnigramModel`，不看句子；
- **左右邻居**：`NeighbourModel`，数一数左边是这个、右边是那个的时候，中间出现过谁；
- **只看自己**：`blind_loss`，知道词频，知道盖的规矩，却只看得见挑中的那**一格**，一个邻居也看不见。它的损失可以用贝叶斯公式直接算出来。

**先猜，再运行。**（1）三种位置里，哪一种的损失最先掉到词频以下，哪一种最晚，还是根本掉不下去？（2）全部挑中位置的平均损失掉到词频以下的时候，[MASK] 位置上的掉下来了吗？（3）训练完了，[MASK] 位置上比得过词频吗？比得过左右邻居吗？（两个空闲的 CPU 核上大约四十秒，电脑慢或者忙，就得一两分钟。）
"""

# %% [markdown] lang="en"
r"""
## 5b.11 Use it: train a small BERT and take its loss apart

All the parts are there. The encoder is the library's `BertBackbone` (the blocks of 3b with the input of 5a); heads, pooler and loss are yours, and your functions pair the sentences and hide the tokens.

Hiding row after row in Python is too slow to be done again at every step. So we do as BERT's authors did: before the training, every pair is hidden in several ways (ten of theirs, six here), and training uses this stock of rows again and again. A row has 16 tokens only, a stretch of each sentence that begins anywhere. In a short row there are few places where a clue can be, and a few hundred steps are enough to see something.

What training watches is one mean loss; but picked positions have three fates, and they are not equally hard. So now and then it is measured on **held-out** documents, the three kinds of positions **apart**:

- replaced by [MASK]: the context is all there is to go by;
- replaced by a random token: first you have to notice that something is wrong, then guess;
- kept: the answer stands in the input.

Three rivals that only count are measured as well:

- **frequency**: `UnigramModel`, which never looks at the sentence;
- **neighbours**: `NeighbourModel`, which counts what stood between this left and that right neighbour;
- **itself only**: `blind_loss`, which knows the frequencies and the rules of masking, but sees the picked position **alone** and not one neighbour. Bayes' rule gives its loss directly.

**Predict before you run.** (1) Which of the three kinds of positions falls below frequency first, and which last, if ever? (2) When the mean over all picked positions falls below frequency, has the loss at [MASK]? (3) At the end of the training, is [MASK] below frequency, and is it below the neighbours? (About forty seconds on two idle CPU cores, or a minute or two on a slow or busy computer.)
"""

# %% tags=["experiment"]
import time

from bert_keras.text.masked_lm import MaskedBatch
from bert_keras.training import evaluate
from bert_keras.training.encoders import build_backbone
from bert_keras.training.sections import ModelSection
from bert_keras.training.yardsticks import NeighbourModel, UnigramModel

tiny = None  # filled by the next cell
LENGTH, SLOTS, BATCH = 16, 2, 256  # short rows: fewer places to choose from, learnt sooner
COPIES = 6  # every pair is cut and hidden so many times, and the rows are used again and again
STEPS = 700  # four times as many take minutes, and guess far better


class TinyBert(keras.Model):
    """The library's encoder with your pooler, your heads and your loss."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.backbone.pooler.trainable = False  # yours takes its place
        self.pooler = Pooler(backbone.hidden_dim)
        self.masked_lm_head = MaskedLMHead()
        self.next_sentence_head = NextSentenceHead()

    def call(self, inputs):
        states = self.backbone(inputs)["sequence_output"]  # (B, T, D)
        table = ops.convert_to_tensor(self.backbone.embeddings.token_embedding.embeddings)
        return {
            "mlm_logits": self.masked_lm_head(states, inputs["mask_positions"], table),
            "nsp_logits": self.next_sentence_head(self.pooler(states)),
        }

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return pretraining_loss(y_pred["mlm_logits"], y_pred["nsp_logits"], **y)[0]


def packed(pairs, seed):
    """Pairs of sentences as BERT's input, and their labels."""
    rng = np.random.default_rng(seed)

    def stretch(sentence):
        """Half a row of a sentence, from anywhere: not only how sentences begin."""
        ids = ids_of[sentence]
        begin = rng.integers(max(len(ids) - LENGTH // 2, 0) + 1)
        return ids[begin : begin + LENGTH // 2]

    rows = pack_batch([(stretch(a), stretch(b)) for a, b, _ in pairs], vocabulary, LENGTH)
    return rows, np.array([label for _, _, label in pairs], "int32")


def hidden(rows, seed):
    """Inputs, targets and the `MaskedBatch` of some rows, by your functions."""
    corrupted, places, mask_ids, weights = masked_rows(rows["token_ids"], seed, slots=SLOTS)
    fates = fates_of(corrupted, places, mask_ids, weights) - 1  # the library counts from -1
    inputs = {**rows, "token_ids": corrupted, "mask_positions": places}
    targets = {"mask_ids": mask_ids, "mask_weights": weights}
    return inputs, targets, MaskedBatch(corrupted, places, mask_ids, weights, fates)


# %% tags=["experiment"]
if documents and ready(
    "choose_mask_positions",
    "apply_mlm_mask",
    "MaskedLMHead",
    "mlm_loss",
    "nsp_pairs",
    "Pooler",
    "NextSentenceHead",
    "pretraining_loss",
):
    began = time.time()
    train_rows, train_labels = packed(nsp_pairs(documents, seed=0) * COPIES, seed=0)
    train_inputs, train_targets, _ = hidden(train_rows, seed=0)
    train_targets["next_sentence_label"] = train_labels
    say(
        f"{len(train_labels)} 行，盖好用了 {time.time() - began:.0f} 秒",
        f"{len(train_labels)} rows, hidden in {time.time() - began:.0f} s",
    )
    middle = len(test_documents) // 2
    test_rows, test_labels = packed(nsp_pairs(test_documents[:middle], seed=1) * COPIES, seed=1)
    test_inputs, _, test_masks = hidden(test_rows, seed=1)
    held_out = test_inputs, test_masks, test_labels
    tuning, _ = packed(nsp_pairs(test_documents[middle:], seed=2) * COPIES, seed=2)
    tuning_inputs, _, tuning_masks = hidden(tuning, seed=2)

    train_ids = [ids_of[s] for document in documents for s in document]
    unigram = UnigramModel(train_ids, len(vocabulary), vocabulary.ordinary_ids)
    counting = NeighbourModel(train_ids, unigram, vocabulary.sep_id)
    counting.tune(*evaluate.neighbours(tuning_inputs, tuning_masks, vocabulary))
    left, right, word = evaluate.neighbours(test_inputs, test_masks, vocabulary)
    of_counting = counting.loss(left, right, word)

    keras.utils.set_random_seed(0)
    sizes = ModelSection(
        num_layers=2,
        num_heads=2,
        hidden_dim=64,
        intermediate_dim=256,
        max_sequence_length=LENGTH,
        dropout=0.0,
        initializer_stddev=0.1,
        position_scale=0.3,  # positions begin as sinusoids: a short run can't learn them
    )
    tiny = TinyBert(build_backbone(sizes, len(vocabulary)))
    # Half of a decay: so short a run should not slow down before it has found out anything.
    decay = 2 * STEPS
    rate = keras.optimizers.schedules.CosineDecay(0.0, decay, warmup_target=5e-3, warmup_steps=35)
    tiny.compile(optimizer=keras.optimizers.AdamW(rate, beta_2=0.98, global_clipnorm=1.0))
    rng = np.random.default_rng(0)
    passes = STEPS * BATCH // len(train_labels) + 1
    order = np.concatenate([rng.permutation(len(train_labels)) for _ in range(passes)])
    curve = {}
    for step in range(STEPS):
        chosen = order[BATCH * step : BATCH * (step + 1)]
        tiny.train_on_batch(
            {name: array[chosen] for name, array in train_inputs.items()},
            {name: array[chosen] for name, array in train_targets.items()},
        )
        if step + 1 in (10, 25) or (step + 1) % 50 == 0:
            curve[step + 1], sizes_of = evaluate.held_out_figures(tiny, held_out, 400)

    used = test_masks.mask_weights > 0
    shown = np.take_along_axis(test_inputs["token_ids"], test_masks.mask_positions, axis=1)
    blind = np.zeros(used.shape)
    blind[used] = blind_loss(
        unigram.probabilities, shown[used], test_masks.mask_ids[used], vocabulary.mask_id
    )
    kinds = {"masked": 0, "random": 1, "kept": 2}  # the library's numbers
    of_blind, of_frequency = {}, {}
    for kind, fate in kinds.items():
        at = test_masks.treatment == fate
        of_blind[kind] = float(blind[at].mean())
        of_frequency[kind] = unigram.loss(test_masks.mask_ids[at])
    of_unigram, last = of_frequency["masked"], curve[STEPS]
    counts = np.array([sizes_of[kind] for kind in kinds])
    for figures in (of_blind, of_frequency, *curve.values()):
        figures["all"] = float(np.average([figures[kind] for kind in kinds], weights=counts))
    names = {"masked": "[MASK]", "random": text("随机", "random"), "kept": text("没动", "kept")}
    names["all"] = text("全部", "all")
    say("位置      小 BERT  只看自己    词频", "positions  small BERT  itself only  frequency")
    for part, name in names.items():
        print(f"{name:9}  {last[part]:8.2f}  {of_blind[part]:8.2f}  {of_frequency[part]:8.2f}")
    say(
        f"左右邻居，在 [MASK] 位置上：{of_counting:.2f}",
        f"neighbours, at [MASK]: {of_counting:.2f}",
    )

    def first_below(part):
        """The first step at which a loss was clearly below frequency, 0.05 or more."""
        found = (step for step in curve if curve[step][part] < of_frequency[part] - 0.05)
        return next(found, None)

    crossed = {part: first_below(part) for part in names}
    never = text("没有", "never")
    since = "  ".join(f"{name} {crossed[part] or never}" for part, name in names.items())
    say(
        f"（1）从第几步起比词频（表里同一行的）低 0.05 以上：{since}",
        f"(1) step at which each was first 0.05 below frequency (of its own row above): {since}",
    )
    if crossed["all"]:
        then = curve[crossed["all"]]["masked"]
        say(
            f"（2）平均的损失低于词频时（第 {crossed['all']} 步），[MASK] 位置上是 {then:.2f}，"
            f"词频 {of_unigram:.2f}",
            f"(2) when the mean fell below frequency (step {crossed['all']}), at [MASK] it was "
            f"{then:.2f}; frequency: {of_unigram:.2f}",
        )
    below = text("是", "yes"), text("否", "no")
    say(
        f"（3）最后，[MASK] 位置上低于词频 {of_unigram - last['masked']:.2f}；低于左右邻居："
        f"{below[last['masked'] >= of_counting]}",
        f"(3) in the end, at [MASK], it is below frequency by {of_unigram - last['masked']:.2f}; "
        f"below neighbours: {below[last['masked'] >= of_counting]}",
    )
    majority = max(test_labels.mean(), 1 - test_labels.mean())
    say(
        f"下一句：对 {last['next_sentence_accuracy']:.1%}，总猜多的那一类对 {majority:.1%}",
        f"next sentence: {last['next_sentence_accuracy']:.1%} right, always the larger class "
        f"{majority:.1%}",
    )

    words = chart_words(LANG)
    shown_as = {
        "masked": words("[MASK] 位置", "at [MASK]"),
        "random": words("随机词元的位置", "at random tokens"),
        "kept": words("没动的位置", "at kept tokens"),
        "all": words("全部挑中的", "all picked"),
    }
    lines = (
        (of_unigram, words("词频，[MASK] 位置", "frequency, at [MASK]")),
        (of_counting, words("左右邻居，[MASK] 位置", "neighbours, at [MASK]")),
    )
    with chart(2, width=4.6, height=3.9) as (whole, near):
        for i, (part, label) in enumerate(shown_as.items()):
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i]}
            losses = [figures[part] for figures in curve.values()]
            for axis in (whole, near):
                axis.plot(list(curve), losses, markersize=4, label=label, **style)
        for axis in (whole, near):
            for i, (height, label) in enumerate(lines):
                axis.axhline(height, color=COLOURS[5 + i], linewidth=1)
                if axis is whole or height == of_unigram:
                    axis.annotate(
                        label,
                        (0.99, height),
                        xytext=(0, 2),
                        xycoords=("axes fraction", "data"),
                        textcoords="offset points",
                        ha="right",
                        va="bottom",
                        fontsize=9,
                    )
            axis.set(xlabel=words("步", "step"))
        whole.set_ylabel(words("留出的损失（奈特）", "held-out loss (nats)"))
        for axis in (whole, near):  # above the panel, where no curve can run into it
            axis.legend(frameon=False, fontsize=9, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
        near.set(
            ylabel=words("同样的曲线，词频附近", "the same, close to frequency"),
            ylim=(of_unigram - 1, of_unigram + 0.4),
        )

# %% [markdown] lang="zh"
r"""
**怎么读这些数。**（在你的电脑上，步数和小数会差一点，第三段也许差得多些；先后次序应当一样。）

图里的两条横线都是 [MASK] 位置上的；（1）里各种位置跟表里同一行的词频比，所以差一点。先看“只看自己”那一列。它一个邻居也不看，全部挑中位置的平均损失却低于词频：我们跑中文版时，词频是 6.46，它是 5.95。差出来的全靠照抄：没动的位置上，它只有 0.48，而 [MASK] 位置上跟词频一模一样。所以“**损失低于词频，说明模型在看上下文**”这句话站不住。要知道模型看没看上下文，就只看 [MASK] 位置，而且要找个像样的对手：左右邻居在那里是 4.49。

再看图。小 BERT 走了三段，一段学一件事：

1. **学词频。** 头几十步，四条线一起掉到词频附近，在那里停住。哪些词元常见，记在输出的偏置里就行，最好学。
2. **学照抄。** 一百多步起，没动的位置直往下掉，把平均也带了下去。我们跑的时候，第 200 步平均的损失已经低于词频，[MASK] 位置上却是 6.49，词频是 6.48：关于上下文，它还**什么都没学到**。照抄是有代价的：随机词元的位置上，损失反而升到词频以上。“只看自己”把可能性算得分毫不差，在那里也要 6.91；小 BERT 太相信眼前的了，最后是 7.62。
3. **学上下文。** 三四百步以后，[MASK] 位置上才离开**平台期**（plateau），往下走，最后是 6.01。（你的电脑上要是还没动，就多练几百步。）平均的那条线从第二段一路降到第三段，看不出中间换了一件事在学。

七百步只够开个头，左右邻居还在前面。下一句也等于瞎猜，远不如数共有的词元：十六个词元，两句话各剩几个字。这都不是程序写错了，是练得太短；再往后是什么样，看 5b.12 里存的结果。
"""

# %% [markdown] lang="en"
r"""
**How to read these numbers.** (On your computer steps and decimals will differ a little, in stage 3 perhaps by more; the order of events should be the same.)

Both horizontal lines of the chart are losses at [MASK]; line (1) compares each kind of position with frequency in its own row of the table, which differs a little. Now the column "itself only". It sees not one neighbour, and still its mean loss over all picked positions is below frequency: when we ran it, frequency had 6.53 and it had 5.99. All of the difference comes from copying: at kept positions its loss is 0.56, and at [MASK] it is exactly that of frequency. So **"a loss below frequency shows that the model looks at the context"** doesn't hold. To know whether it does, look at [MASK] only, and take a decent rival: there the neighbours had 4.64.

Now the chart. The small BERT goes through three stages, and learns one thing in each:

1. **Frequencies.** In the first few dozen steps all four lines fall to about frequency, and stop there. Which tokens are common can be written into the bias of the output, and nothing is easier to learn.
2. **Copying.** From step 100 or so the kept positions fall steeply, and drag the mean along. At step 150 the mean was below frequency, while at [MASK] it was 6.56, with frequency at 6.53: about context it had learnt **nothing yet**. And copying has its price: at random tokens the loss rises above frequency. Even "itself only", which weighs the odds exactly, pays 6.91 there; the small BERT trusts too much in what it sees, and paid 7.55 in the end.
3. **Context.** Only after three or four hundred steps does the loss at [MASK] leave the **plateau** and go down, to 5.64 in the end. (If it hasn't moved on your computer, give it a few hundred steps more.) The mean falls all through stages two and three, and doesn't show that something else is being learnt.

Seven hundred steps are no more than a start, and the neighbours are still ahead. Next sentences are guessed blindly, too, far worse than by counting shared tokens: sixteen tokens leave but a scrap of each sentence. None of this is a bug; the training is too short. What comes later is a matter for the stored experiments of 5b.12.
"""

# %% [markdown] lang="zh"
r"""
**填空。** 给几句话各挖一个空，左边是小 BERT 最看好的五个词元，右边是“左右邻居”的。人会填的那个如果在五个里面，就是橙色的。
"""

# %% [markdown] lang="en"
r"""
**Fill the gaps.** Some sentences with a hole: on the left the five likeliest tokens of the small BERT, on the right those of "neighbours". What a person would put there is orange, where it is among the five.
"""

# %% tags=["experiment"]
from bert_keras.analysis.guess_bars import guess_bars

GAPS = {
    "zh": (
        ("中华人民共和[MASK]成立以来", "国"),
        ("他今天在北[MASK]说", "京"),
        ("坚持改革开[MASK]的方针", "放"),
    ),
    "en": (
        ("the prime [MASK] said on monday", "minister"),
        ("he is one of the [MASK] players in the world", "best"),
        ("it is the first [MASK] that this has happened", "time"),
    ),
}[LANG]


def likeliest(shares, count=5):
    best = np.argsort(-shares)[:count]
    return [(vocabulary.tokens[i], float(shares[i])) for i in best]


if tiny:
    groups = []
    for sentence, answer in GAPS:
        ids = tokenizer.encode(sentence)  # [MASK] is a token of its own
        arrays = pack_batch([(ids, None)], vocabulary, LENGTH)
        place = int(np.flatnonzero(arrays["token_ids"][0] == vocabulary.mask_id)[0])
        places = np.zeros((1, SLOTS), "int32")
        places[0, 0] = place
        asked = {**arrays, "mask_positions": places}
        _, outputs = next(evaluate.predict(tiny, asked, 100))  # a batch of a size already compiled
        guess = np.array(outputs["mlm_logits"])[0, 0]
        guess[SPECIAL] = -1e9  # not a word
        shares = np.exp(guess - guess.max())
        groups.append(
            (
                sentence + text("（小 BERT）", " (small BERT)"),
                likeliest(shares / shares.sum()),
                answer,
            )
        )
        before, after = arrays["token_ids"][0, [place - 1, place + 1]]
        every = np.array(ORDINARY)
        by_counts = np.zeros(len(vocabulary))
        by_counts[every] = counting.probabilities(
            np.full(len(every), before), np.full(len(every), after), every
        )
        groups.append(
            (sentence + text("（左右邻居）", " (neighbours)"), likeliest(by_counts), answer)
        )
    display(guess_bars(groups))

# %% [markdown] lang="zh"
r"""
小 BERT 的上下文才刚开始学。不同的空，它填的也许已经不一样了，有的词性还对得上；可是多半没有把握，最看好的往往只有百分之几，难得到两三成，还未必对。左右邻居只看得见紧挨着的两个词元，可它看见的每一处都记下了。想看小 BERT 往下学，就把 `STEPS` 改成 2800，`COPIES` 改成 20（同样的行看得太多遍，就会去背它们），再跑一遍，左边那一列应当慢慢变得有道理（要好几分钟）。
"""

# %% [markdown] lang="en"
r"""
The small BERT has only begun to learn about context. Its guesses may already differ from gap to gap, and some of them fit the grammar; but it is seldom sure: its favourite often has but a few per cent, rarely a quarter, and may be wrong even then. The neighbours see the two adjacent tokens only, but remember every place where they have seen them. To watch the small BERT go on, set `STEPS` to 2800 and `COPIES` to 20 (rows that are seen too often get learnt by heart) and run the cells again; the left column should slowly begin to make sense (it takes several minutes).
"""

# %% [markdown] lang="zh"
r"""
## 5b.12 存好的实验：拐点在哪里，怎么盖才好

断言都是测量之前写下的，成立不成立，照实打印。（单元格要是说还没有存好的结果，它前后的说明就先跳过；后面用不到。）

**一、拐点。** 《人民日报》一个月的全部文字，词表四千个字，小 BERT 跟刚才的一样大，练得久得多，三个种子，损失同样拆开看。前六成的步子用 16 个词元的短行，后四成用 64 个词元的长行；量的时候一直用长行，所以换行长的地方曲线可能会折一下。
"""

# %% [markdown] lang="en"
r"""
## 5b.12 Stored experiments: where the bend is, and how best to hide

All claims were written down before anything was measured, and whether they hold is printed as it came out. (Where a cell says that there is no stored result yet, skip the text around it; nothing later needs it.)

**One: the bend.** A whole month of a Chinese newspaper, a vocabulary of four thousand characters, a small BERT of the same size, trained much longer, three seeds, and the loss taken apart as above. For the first 60 % of the steps rows have 16 tokens, then 64; they are always measured on long rows, so the curves may have a kink where the rows change.
"""


# %% tags=["experiment"]
def verdict(result):
    """The claim, and whether it held, part by part."""
    print(result["claim"][LANG])
    for part, holds in result.get("parts", {"": result["holds"]}).items():
        print(f"({part})" if part else "", text("成立", "holds") if holds else text("不成立", "no"))


result = stored("pretraining_yardsticks")
if result:
    verdict(result)
    words = chart_words(LANG)
    figures = result["figures"]
    steps = sorted(figures["masked"], key=int)
    shown_as = {
        "masked": words("[MASK] 位置", "at [MASK]"),
        "random": words("随机词元的位置", "at random tokens"),
        "kept": words("没动的位置", "at kept tokens"),
    }
    with chart(2, width=4.6, height=3.4) as (losses, accuracies):
        for i, (part, label) in enumerate(shown_as.items()):
            for n in range(len(result["seeds"])):
                losses.plot(
                    [int(step) for step in steps],
                    [figures[part][step]["values"][n] for step in steps],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    markersize=3,
                    linestyle=STYLES[i],
                    alpha=0.75,
                    label=label if n == 0 else None,
                )
        for i, (name, label) in enumerate(
            {
                "unigram": words("词频", "frequency"),
                "neighbours": words("左右邻居", "neighbours"),
            }.items()
        ):
            height = figures[name]["mean"]
            losses.axhline(height, color=COLOURS[5 + i], linewidth=1)
            losses.annotate(
                label,
                (0.99, height),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="bottom",
                fontsize=9,
            )
        losses.set(
            xlabel=words("步", "step"), ylabel=words("留出的损失（奈特）", "held-out loss (nats)")
        )
        # Between the bars and what is kept there is room in every run.
        losses.legend(frameon=False, fontsize=9, loc="center right", bbox_to_anchor=(1, 0.32))
        for n in range(len(result["seeds"])):
            accuracies.plot(
                [int(step) for step in steps],
                [figures["next_sentence_accuracy"][step]["values"][n] for step in steps],
                color=COLOURS[4],
                marker=MARKERS[4],
                markersize=3,
                alpha=0.75,
                label=words("下一句猜对的比例", "next sentence, right") if n == 0 else None,
            )
        accuracies.axhline(figures["majority"]["mean"], color="black", linewidth=0.8, linestyle=":")
        accuracies.set(xlabel=words("步", "step"))
        accuracies.legend(frameon=False, fontsize=9)
    blind = figures["blind"]
    say(
        f"只看自己：没动的位置 {blind['kept']['mean']:.2f}，"
        f"随机词元的位置 {blind['random']['mean']:.2f}，全部挑中的 {blind['all']['mean']:.2f}；"
        f"词频 {figures['unigram']['mean']:.2f}",
        f"itself only: at kept tokens {blind['kept']['mean']:.2f}, at random ones "
        f"{blind['random']['mean']:.2f}, all picked {blind['all']['mean']:.2f}; frequency "
        f"{figures['unigram']['mean']:.2f}",
    )

# %% [markdown] lang="zh"
r"""
图上每条线是一个种子。看 [MASK] 那几条：平台期有多长，到哪一步才真正往下走，最后离左右邻居还有多远？要是只盯着平均的损失，这个拐点是看不见的。

**二、怎么盖。** 五种盖法，步数一样多，都放到**同一套**留出的掩码上去考：挑 5%、15%、40%；挑 15% 但全部换成 [MASK]（100/0/0）；挑 15%，整词一起盖。
"""

# %% [markdown] lang="en"
r"""
Each line is a seed. Look at those for [MASK]: how long is the plateau, at which step do they really begin to go down, and how far are the neighbours in the end? Whoever watches the mean loss alone never sees that bend.

**Two: how to hide.** Five ways, for as many steps, all examined on the **same** held-out masks: 5 %, 15 % and 40 % picked; 15 % picked and always [MASK] (100/0/0); 15 % picked, whole words together.
"""

# %% tags=["experiment"]
result = stored("masking_styles")
if result:
    verdict(result)
    words = chart_words(LANG)
    style_words = {
        "five": words("挑 5%", "5 % picked"),
        "fifteen": words("挑 15%", "15 % picked"),
        "forty": words("挑 40%", "40 % picked"),
        "always_mask": words("15%，全换 [MASK]", "15 %, always [MASK]"),
        "whole_words": words("15%，整词", "15 %, whole words"),
    }
    columns = (
        ("single", "masked", words("[MASK] 位置，单个盖", "at [MASK], single tokens")),
        ("words", "masked", words("[MASK] 位置，整词盖", "at [MASK], whole words")),
        ("single", "kept", words("没动的位置", "at kept tokens")),
    )
    with chart(3, width=3.3, height=2.8) as axes:
        for axis, (held_out_set, part, title) in zip(axes, columns):
            for i, style in enumerate(style_words):
                values = result["figures"][style][held_out_set][part]["values"]
                axis.plot(
                    values, [i] * len(values), color=COLOURS[i], marker=MARKERS[i], linestyle=""
                )
            axis.set_yticks(
                range(len(style_words)), style_words.values() if axis is axes[0] else []
            )
            axis.invert_yaxis()
            axis.set_xlabel(title + words("，奈特", ", nats"), fontsize=9)

# %% [markdown] lang="zh"
r"""
每个记号是一个种子；同一行的几个隔得有多开，就是换个种子会差多少，比这小的差别，别当真。也别把结论搬得太远：这是训练几十秒的小模型。挑几成最好，要看模型多大、训练多久；[Wettig 等 2023](https://arxiv.org/abs/2202.08005) 发现大模型可以挑到 40%。

要一个训练得更久的 BERT，两行命令就行（打开终端，启用课程的环境，进到项目目录，再输入；第二条要半小时）：

```text
bert-keras prepare configs/pretrain_laptop_zh.toml
bert-keras pretrain configs/pretrain_laptop_zh.toml
```
"""

# %% [markdown] lang="en"
r"""
Each mark is a seed; how far the marks of a row are apart is what another seed may change, and smaller differences mean nothing. Don't carry the conclusions too far either: these are small models, trained for a minute or two at most. Which share is best depends on the size of the model and the length of the training; [Wettig et al. 2023](https://arxiv.org/abs/2202.08005) found that large models do well with 40 %.

A BERT with more training is two commands away (open a terminal, activate the course's environment, go to the project's folder; the second takes half an hour; the text is Chinese):

```text
bert-keras prepare configs/pretrain_laptop_zh.toml
bert-keras pretrain configs/pretrain_laptop_zh.toml
```
"""

# %% [markdown] lang="zh"
r"""
## 5b.13 找错练习

下面的 `patient` 是预训练的一步：`patient(batch, mask_id, encode, token_table, output_bias)`，先盖住词元，再让编码器读，最后算出损失。它跑得通，形状全对，可是有**一处**毛病。别的班拿到的毛病可能不一样。

| 参数 | 形式 | 说明 |
|---|---|---|
| `batch` | 字典，NumPy 数组 | `token_ids` 整数 (B, T)；`mask_positions` 整数 (B, P)；`mask_weights` float32 (B, P)；`draws` (B, P)，每个槽位抽好的数，在 $[0, 1)$ 里；`random_ids` 整数 (B, P)，每个槽位抽好的随机词元；`next_sentence_label` 整数 (B,)，0 = 是下一句 |
| `mask_id` | 整数 | [MASK] 的编号 |
| `encode` | 函数 | 嵌入 (B, T, D) → 一对：输出 (B, T, D)，真假的 logits (B, 2) |
| `token_table` | (V, D) | 词元嵌入表，查表用它，打分也用它 |
| `output_bias` | (V,) | 每个词元一个偏置 |

约定与前面各题相同：`draws` 里的数小于 0.8，换成 [MASK]；小于 0.9，换成 `random_ids` 里的；其余不动。打分只有点积和偏置（没有 Dense、GELU、归一化）；损失是 `mlm_loss` 加下一句的交叉熵的平均。这里编号 0 也是普通词元。**返回**一对 `(corrupted, loss)`：盖过的一批，整数 (B, T)；损失，float32，形状 ()。`batch` 里的数组别改动。毛病也许露在盖过的编号里，也许露在损失里，也许只露在梯度里。

1. 先别盯着代码看，做实验：`draws` 全给 0.85、全给 0.95，各该发生什么？空着的槽位那里动了没有？把空着的槽位的答案换掉，损失动不动？偏置全加 1，损失动不动？只给一个词元的偏置加 1 呢？标签全是 0 的一批，下一句的损失是不是 0？梯度从哪几条路回到 `token_table`？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `labels_after_corruption` | 先盖住，再从盖过的句子里取答案 |
| `tenth_of_the_rest` | 随机词元只占剩下两成的十分之一：80% / 2% / 18% |
| `unused_slots_written` | 空着的槽位也动了手 |
| `loss_over_all_slots` | 空着的槽位也算进了损失 |
| `ids_above_zero` | 答案的编号大于 0 才算用上 |
| `wrong_denominator` | 除以全部槽位数，而不是用上的 |
| `bias_twice` | 偏置加了两次 |
| `tying_lost` | 打分用的是表的一份拷贝，梯度从那条路回不来 |
| `is_next_ignored` | 下一句的损失里，标签是 0 的不算 |

`mlm_loss` 可以用（检查时换成标准答案）。说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 5b.13 Debugging drill

`patient` below is one step of pretraining: `patient(batch, mask_id, encode, token_table, output_bias)` hides tokens, has the encoder read them, and computes the loss. It runs, all shapes are right, and it has **one** fault. Other classes may get other faults.

| Argument | Form | Notes |
|---|---|---|
| `batch` | a dict of NumPy arrays | `token_ids` ints (B, T); `mask_positions` ints (B, P); `mask_weights` float32 (B, P); `draws` (B, P), a number drawn for each slot, in $[0, 1)$; `random_ids` ints (B, P), a random token drawn for each slot; `next_sentence_label` ints (B,), 0 = is next |
| `mask_id` | an int | the id of [MASK] |
| `encode` | a function | embeddings (B, T, D) → a pair: output (B, T, D), next-sentence logits (B, 2) |
| `token_table` | (V, D) | the token embeddings; to look tokens up and to score them |
| `output_bias` | (V,) | one bias for each token |

Conventions are those of the exercises: a draw below 0.8 gives [MASK], below 0.9 the token of `random_ids`, otherwise the token stays; scoring is dot product and bias only (no Dense, GELU or norm); the loss is `mlm_loss` plus the mean cross-entropy of the next sentence. Id 0 is an ordinary token here. It **returns** the pair `(corrupted, loss)`: the batch after hiding, ints (B, T), and the loss, float32 of shape (). The arrays of `batch` must not change. The fault may show in the ids after hiding, in the loss, or in the gradient only.

1. Don't stare at the code first; experiment: what should happen with all `draws` 0.85, or 0.95? Did anything change where a slot is unused? Exchange the answer of an unused slot, does the loss move? Add 1 to all biases, does it move? And to the bias of one token? In a batch with labels 0 only, is the loss of the sentences 0? Along which paths does the gradient reach `token_table`?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `labels_after_corruption` | tokens are hidden first, and the answers are read off what is left |
| `tenth_of_the_rest` | random tokens are only a tenth of the remaining fifth: 80 % / 2 % / 18 % |
| `unused_slots_written` | something is written for unused slots, too |
| `loss_over_all_slots` | unused slots count in the loss |
| `ids_above_zero` | a slot counts as used if the id of its answer is above 0 |
| `wrong_denominator` | divided by all slots, not by those in use |
| `bias_twice` | the bias is added twice |
| `tying_lost` | scoring uses a copy of the table that gradients don't flow through |
| `is_next_ignored` | in the loss of the sentences, those with label 0 don't count |

You may use `mlm_loss` (in the check it is the reference's). Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch05b_masked_lm"
from drill import patient, suspect, repaired

# %% check="drill_ch05b_masked_lm"
check("drill_ch05b_masked_lm", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 5b.14 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）把这一章前半章做成两层：`MaskedLMMaskGenerator` 又挑又盖，`MaskedLMHead` 来猜。头的参数搬过去，logits 应当一样；它的 ε 是 $10^{-5}$，我们就把自己的也设成那样。

盖的办法有两处约定可以不同，都不算错：它的随机词元从**整个词表**里抽，特殊词元也抽得到；一行挑几个，也不一定正好是四舍五入的 15%：它可以让每个词元各抽各的签，于是有的行挑得多，有的行一个也没有。下面各盖六百句，看看三种下场的比例，再看每行挑中的占几成（普通词元里），最少和最多是多少。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 5b.14 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has the first half of this notebook as two layers: `MaskedLMMaskGenerator` picks and hides, `MaskedLMHead` guesses. With the same weights the logits of the head should agree; its ε is $10^{-5}$, so we set ours to that.

Hiding may follow other conventions in two points, and both are fine: its random tokens come from the **whole vocabulary**, special ones included; and a row needn't lose exactly the rounded 15 %: where every token makes its own draw, some rows lose many and some none. The cell hides six hundred sentences both ways and prints the shares of the three fates, then the smallest and the largest share picked in a row (of its ordinary tokens). (Without KerasHub it is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
try:
    import keras_hub
except ImportError:
    keras_hub = None
    say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
if keras_hub and ready("MaskedLMHead"):
    keras.utils.set_random_seed(5)
    rng = np.random.default_rng(5)
    table = keras_hub.layers.ReversibleEmbedding(50, 12)
    table.build()
    theirs = keras_hub.layers.MaskedLMHead(token_embedding=table, intermediate_activation="gelu")
    ours = MaskedLMHead(layer_norm_epsilon=1e-5)
    states, places = tensor(rng.normal(size=(2, 9, 12))), np.array([[1, 4, 0], [2, 3, 8]])
    token_table = ops.convert_to_tensor(table.embeddings)
    theirs(states, places), ours(states, places, token_table)
    pairs = {variable.path.split("/", 1)[1]: variable for variable in theirs.weights}
    renamed = {"dense": "intermediate_dense", "layer_norm": "intermediate_layer_norm"}
    for weight in ours.weights:
        weight.assign(rng.normal(size=weight.shape))
        part, _, name = weight.path.split("/", 1)[1].rpartition("/")
        path = f"{renamed[part]}/{name}" if part else "output_bias"
        pairs[path].assign(weight)
    difference = np.abs(
        np.asarray(ours(states, places, token_table)) - np.asarray(theirs(states, places))
    ).max()
    print(f"keras_hub MaskedLMHead {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}")

if keras_hub and documents and ready("choose_mask_positions", "apply_mlm_mask"):
    generator = keras_hub.layers.MaskedLMMaskGenerator(
        vocabulary_size=len(vocabulary),
        mask_selection_rate=0.15,
        mask_token_id=vocabulary.mask_id,
        mask_selection_length=20,
        unselectable_token_ids=SPECIAL,
    )
    made = {name: np.asarray(value) for name, value in generator(rows).items()}
    hub = [made[key] for key in ("token_ids", "mask_positions", "mask_ids", "mask_weights")]
    in_row = (~np.isin(rows, SPECIAL)).sum(axis=1)
    for name, arrays in ((text("你的", "yours"), parts_of_rows), ("KerasHub", hub)):
        found = fates_of(*arrays)
        shares = [np.mean(found[found != UNTOUCHED] == fate) for fate in (MASKED, RANDOM, KEPT)]
        of_row = (found != UNTOUCHED).sum(axis=1) / in_row
        print(name, "  ".join(f"{share:.2f}" for share in shares), end="    ")
        print(f"{of_row.min():.2f} – {of_row.max():.2f}")

# %% [markdown] lang="zh"
r"""
## 5b.15 常见误解

先逐句判断，再看数字。

1. BERT 把 15% 的词元换成 [MASK]。
2. BERT 训练时预测每一个词元。
3. 池化层（pooler）对所有词元求平均。
4. 损失低于词频，说明模型在看上下文。
5. 下一句预测是 BERT 成功的关键。
"""

# %% [markdown] lang="en"
r"""
## 5b.15 Myth box

Judge each sentence first, then look at the numbers.

1. BERT replaces 15 % of the tokens by [MASK].
2. In training, BERT predicts every token.
3. The pooler takes the mean over all tokens.
4. A loss below frequency shows that the model looks at the context.
5. Next sentence prediction is what makes BERT work.
"""

# %% tags=["experiment"]
if documents and ready("choose_mask_positions", "apply_mlm_mask"):
    say(
        f"1 真正变成 [MASK] 的：{(fates == MASKED).sum() / ordinary:.1%}",
        f"1 really replaced by [MASK]: {(fates == MASKED).sum() / ordinary:.1%}",
    )
    guessed = (fates != UNTOUCHED).sum() / ordinary
    say(
        f"2 六百句里，要猜的词元占 {guessed:.1%}，其余的没有 logits",
        f"2 of the tokens of six hundred sentences {guessed:.1%} are guessed; the others have no "
        "logits",
    )
if ready("Pooler"):
    of_mean = np.asarray(pooler(tensor(states_of_pooler.mean(axis=1, keepdims=True))))
    average = np.abs(of_mean - vector).max()
    say(f"3 换成平均，差 {average:.2f}", f"3 with the mean instead: a difference of {average:.2f}")
if tiny:
    say(
        f"4 全部挑中的：词频 {of_frequency['all']:.2f}；只看自己、一个邻居也不看的 "
        f"{of_blind['all']:.2f}",
        f"4 all picked: frequency {of_frequency['all']:.2f}; seeing itself only, not one "
        f"neighbour: {of_blind['all']:.2f}",
    )
    share = last["next_sentence_accuracy"]
    say(
        f"5 下一句：小 BERT 对 {share:.1%}，数共有的词元对 {by_overlap:.1%}",
        f"5 next sentence: small BERT {share:.1%} right, counting shared tokens {by_overlap:.1%}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 挑中 15%，其中八成换成 [MASK]，是 12%。（5b.3）
2. **错。** 只猜挑中的。所以同样多的文字，BERT 每一步学到的比 GPT 少，要训练更久。
3. **错。** 它只取第一个词元，过一个 Dense 和 tanh。想要平均，得自己动手；6a 会比一比哪个好。
4. **错。** 不看任何邻居的模型也做得到，靠的是照抄没动的词元；我们的小 BERT 先学会的也是照抄，上下文要晚得多。要单看 [MASK] 位置，还要有个像样的对手，比如左右邻居。
5. **证据不支持。** 论文里去掉它，几个任务差了一点；后来 [RoBERTa](https://arxiv.org/abs/1907.11692) 重新比（表 2），换成只从一篇文档里取的整段文字，去掉它反而不差，甚至略好。5c 里我们自己也测一回。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** 15 % are picked, four fifths of these become [MASK], which makes 12 %. (5b.3)
2. **Wrong.** Only the picked ones. So from as much text BERT learns less at each step than GPT, and has to be trained longer.
3. **Wrong.** It takes the first token, a Dense and a tanh. If you want the mean you have to take it yourself; 6a compares the two.
4. **Wrong.** A model that sees no neighbour at all manages that, by copying the tokens that were kept; and our small BERT learnt copying first, and context much later. Look at [MASK] alone, and beside a decent rival, such as the neighbours.
5. **Not supported.** In the paper some tasks lose a little without it; [RoBERTa](https://arxiv.org/abs/1907.11692) compared again later (table 2), with running text of one document, and without it the results were as good or slightly better. In 5c we measure for ourselves.
"""

# %% [markdown] lang="zh" exercise="written_ch05b_masked_lm"
r"""
## 5b.16 简答题

一位同事预训练了一个小 BERT。他说：“掩码语言模型的损失降到了词频以下，说明它已经学会看上下文了，可以拿去微调了。”

用 150 字左右回答：这个理由站得住吗？举出本章的两个数字（至少一个是你**自己跑出来的**），说明平均的损失掩盖了什么；再告诉他应当补量哪一个数、跟谁比，什么样的结果会让你同意他。

这道题由老师评阅，不计入 47 分。好的回答里有两个数字（各说明什么）、一个该补量的数（在哪些位置上、跟什么比）和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch05b_masked_lm"
r"""
## 5b.16 Written question

A colleague has pretrained a small BERT. "The loss of the masked language model is below that of frequencies," he says, "so it has learnt to look at the context, and we can fine-tune it."

Answer in about 100 words: does this reason hold? Quote two numbers of this notebook (at least one that **you ran yourself**) and say what the mean loss conceals; then tell him which number he ought to measure, compared with what, and which result would make you agree.

Your teacher reads this one; it is not part of the 47 points. A good answer has two numbers (and what each of them shows), one number to be measured (at which positions, compared with what) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 说出平均里混了三种位置，没动的位置靠照抄就能答对，并引用两个数字（如平均刚低于词频时 [MASK] 位置上的损失与词频，没动的与 [MASK] 位置的损失，“只看自己”与词频的损失）。
2. 要补量的是 [MASK] 位置上的损失（留出的文字），跟左右邻居这样只会数数的模型比；只说“再训练久一点”“看看下游任务”不算，除非说清跟什么比。
3. 事先说清哪种结果会让自己同意，例如 [MASK] 位置上的损失低于左右邻居，三个种子都如此。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Says that the mean mixes three kinds of positions, and that kept ones are answered by copying; quotes two numbers (such as the loss at [MASK] when the mean fell below frequency, beside frequency; the losses at kept positions and at [MASK]; or those of "itself only" and frequency).
2. What is to be measured is the loss at [MASK] on held-out text, compared with a model that only counts, such as the neighbours; "train longer" or "try a task" don't count unless it is said what they are compared with.
3. Says beforehand which result would bring agreement, such as a loss at [MASK] below that of the neighbours for three seeds.
"""

# %% [markdown] lang="zh"
r"""
## 5b.17 小结：半页带走

**一道题。** 挑 15% 的普通词元，换掉大半，看着两边猜回来；答案永远是原来的词元。

| 挑中的 | 占挑中的 | 占全部 | 逼模型学什么 |
|---|---|---|---|
| 换成 [MASK] | 80% | 12% | 从两边猜 |
| 换成随机词元 | 10% | 1.5% | 站在那里的也不一定可信 |
| 不动 | 10% | 1.5% | 没有 [MASK] 的地方也要读懂 |

**一个头。** 先取出来，再打分；输出层就是词元嵌入表，每个词元只另有一个偏置。

**一个损失。** 用上的槽位才算，除以用上的个数：

$$L_{\text{MLM}} = \frac{\sum_i w_i \cdot (-\ln p_i)}{\sum_i w_i + 10^{-5}}, \qquad L = L_{\text{MLM}} + L_{\text{NSP}}$$

**一把尺子。** 只看 [MASK] 位置，只看留出的文字，跟左右邻居比。
"""

# %% [markdown] lang="en"
r"""
## 5b.17 Half a page to take with you

**One question.** Pick 15 % of the ordinary tokens, replace most of them, guess them back from both sides; the answer is always the original.

| Picked | Of the picked | Of all | What it makes the model learn |
|---|---|---|---|
| become [MASK] | 80 % | 12 % | to guess from both sides |
| become a random token | 10 % | 1.5 % | not to trust whatever stands there |
| stay | 10 % | 1.5 % | to read where there is no [MASK], too |

**One head.** Gather first, then score; the output layer is the token table, with one bias for each token.

**One loss.** Used slots count, divided by their number:

$$L_{\text{MLM}} = \frac{\sum_i w_i \cdot (-\ln p_i)}{\sum_i w_i + 10^{-5}}, \qquad L = L_{\text{MLM}} + L_{\text{NSP}}$$

**One yardstick.** At [MASK] only, on held-out text only, beside the neighbours.
"""

# %% [markdown] lang="zh"
r"""
## 5b.18 接下来

题目出好了，小 BERT 也开了个头；要它真学到东西，还得练得久、练得稳。

- **5c** 把预训练做完整：学习率怎么升怎么降，权重衰减管哪些参数，怎么停下来再接着练；再把别人练好的 BERT 读进来。
- **6a** 拿它去做句子的任务，那时再比 [CLS] 与平均。
- **6c** 让会填空的 BERT 动笔写。

想读原文：[BERT 的论文](https://arxiv.org/abs/1810.04805) 第 3.1 节就是本章，附录 C.2 比较了几种盖法。
"""

# %% [markdown] lang="en"
r"""
## 5b.18 Where next

The question is set, and the small BERT has made a start; to learn something it has to train long, and steadily.

- **5c** completes pretraining: how the learning rate rises and falls, which weights decay, how to stop and go on; and it reads a BERT that others have trained.
- **6a** takes it to tasks on sentences, and compares [CLS] with the mean.
- **6c** lets a BERT that fills gaps write.

For the source: section 3.1 of [the paper on BERT](https://arxiv.org/abs/1810.04805) is this notebook, and appendix C.2 compares ways of masking.
"""
