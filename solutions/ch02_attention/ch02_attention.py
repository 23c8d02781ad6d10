# %% [markdown] lang="zh"
r"""
# 2 注意力：回头看每一个源词

1a 的编码器把一整句话压成一个固定大小的向量，解码器从此再也看不到原文。五个词的句子还装得下，三十个词呢？2014 年，Bahdanau 等人换了个办法：原文的每个位置都留着，解码器**每说一个词就回头看一遍**，自己决定这一次看哪里。这就是**注意力**（attention）。这一章把它拆成几个小函数，逐个写出来，再装成一个会回头看的解码器；最后画出它看了哪里，量一量它译得怎样。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `mask_to_additive` | 3 | 8 | 核心 | 开放处加 0，关闭处加一个不高于 -1e4 的有限数 | 手写的掩码 |
| `masked_softmax` | 4 | 12 | 核心 | 在 softmax 之前遮；整行都关闭时平均分配 | 随机分数 |
| `dot_score` | 2 | 6 | 核心 | 行是查询，列是键；不缩放 | 随机张量 |
| `general_score` | 3 | 8 | 核心 | Luong 的 general：查询 · 矩阵 · 键 | 同上 |
| `additive_score` | 4 | 15 | 核心 | Bahdanau：两边各乘一个矩阵，相加，tanh，再加权求和 | 同上 |
| `context_vector` | 3 | 6 | 核心 | 每个查询一个加权和 | 同上 |
| `AttentionDecoderCell` | 8 | 30 | 核心 | 先走一步，新状态去查询；上下文在前，状态在后；没有 input feeding | 随机张量 |
| `alignment_matrix` | 4 | 10 | 核心 | 行是译文，列是源句 | 埋好的对齐：照抄、倒序 |
| `bleu` | 5 | 25 | 核心 | 整个语料，每句一个参考；平滑只加在长度大于 1 的 n-gram 上 | 手写的短句 |
| `drill_ch02_attention` | 4 | 12 | 核心 | 点积打分，看一眼源句 | 一段有一个错的代码 |
| `written_ch02_attention` | 0 | 12 | 核心 | 老师评阅，不计入 40 分 | 本章的图和数字 |

一共 40 分，只做练习两个多小时，连同实验大约三小时。可以分两次做，2.8 之后是个合适的停顿处。

做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`，有错的地方想看提示，就点开；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 2 Attention: looking back at every source word

The encoder of 1a squeezes a whole sentence into one vector of fixed size, and from then on the decoder never sees the source again. Five words fit in; do thirty? In 2014 Bahdanau and colleagues proposed something else: keep every position of the source, and let the decoder **look back at all of it each time it says a word**, deciding anew where to look. That is **attention**. In this notebook you take it apart into small functions, write each of them, and put them together into a decoder that looks back; in the end you draw where it looked and measure how well it translates.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `mask_to_additive` | 3 | 8 | core | open places add 0, closed ones a finite number of -1e4 or below | masks written by hand |
| `masked_softmax` | 4 | 12 | core | mask before the softmax; a row that is closed altogether shares evenly | random scores |
| `dot_score` | 2 | 6 | core | rows are queries, columns are keys; not scaled | random tensors |
| `general_score` | 3 | 8 | core | Luong's "general": query · matrix · key | the same |
| `additive_score` | 4 | 15 | core | Bahdanau: one matrix for each side, add, tanh, weighted sum | the same |
| `context_vector` | 3 | 6 | core | one weighted sum for each query | the same |
| `AttentionDecoderCell` | 8 | 30 | core | step first, then the new state asks; context before state; no input feeding | random tensors |
| `alignment_matrix` | 4 | 10 | core | rows are the target, columns the source | planted alignments: a copy, a reversal |
| `bleu` | 5 | 25 | core | over a whole corpus, one reference each; smoothing touches n-grams longer than 1 only | short sentences by hand |
| `drill_ch02_attention` | 4 | 12 | core | dot scores, one look at the source | a piece of code with one bug |
| `written_ch02_attention` | 0 | 12 | core | read by your teacher, not part of the 40 points | the pictures and numbers of this notebook |

40 points in all. The exercises take a little over two hours, with the experiments about three. Two sittings are fine, and after 2.8 is a good place to pause.

Working, hints, saving and handing in go as in the earlier notebooks: run `check(...)` under each exercise and, where something is wrong, open the hints if you want them; when you come back, run the cells from the top **in order**.
"""

# %%
import math
from collections import Counter

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.attention import attention_map
from bert_keras.analysis.decoder_step import decoder_step
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.layers.recurrent import RecurrentCell
from bert_keras.models.sequence_pieces import shift_right
from bert_keras.text.batching import encode_batch
from bert_keras.text.corpora import pronunciations, toy_translation

LANG = language()
np.set_printoptions(suppress=True)


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 2.1 一个向量，装得下多少？

先看毛病出在哪里。下面是一个最简单的任务：给一串随机字母，**倒着念出来**。字母是随机的，前面的猜不出后面的，念对几个全看记住了几个。正确的对齐（alignment）我们也知道：第 $t$ 个输出对应倒数第 $t$ 个输入。

编码器是双向 GRU，解码器只从编码器最后的状态出发，像 1a 那样。训练十几秒（机器忙的话要一分钟），然后按源句长度分组，看它念对多少。

源句前后各加一个记号：`[BOS]`、字母、`[EOS]`；译文末尾也有一个 `[EOS]`。

怎样才算“念对”？解码器每一步都喂给正确的上一个字母（教师强制，teacher forcing），看下一个字母猜得对不对。若一句里每一步都对，那么让它自己从头说（贪心解码），说出来的也一字不差；所以“整句全对”这一栏，两种做法给出同一个数。

**先说预测：** 越长越差；最长的一组里，整句全对的几乎没有。
"""

# %% [markdown] lang="en"
r"""
## 2.1 How much fits into one vector?

First see what is wrong. The simplest of tasks: given random letters, **say them backwards**. The letters are random, so none can be guessed from those before; whatever it gets right, it has remembered. And we know the true alignment: output $t$ belongs to the $t$-th input from the end.

The encoder is a bidirectional GRU, and all the decoder starts from is the encoder's last state, as in 1a. It trains for some fifteen seconds (a minute on a busy machine); then we group the test set by the length of the source and see how much is right.

A source goes in as `[BOS]`, its letters, `[EOS]`; a target ends in `[EOS]` too.

What counts as right? At every step the decoder is fed the correct letter before (teacher forcing), and we ask whether the next one is right. If every step of a sequence is right, the decoder left to itself (greedy decoding) says exactly the same; so the column "fully correct" is one number for both.

**The prediction, beforehand:** the longer, the worse; in the longest group almost none is fully correct.
"""

# %% tags=["experiment"]
LETTERS = {name: i for i, name in enumerate(["[PAD]", "[UNK]", "[BOS]", "[EOS]"])}
LETTERS |= {letter: len(LETTERS) + i for i, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
BUCKETS = ((5, 8), (9, 12), (13, 16))


def pairs_to_arrays(pairs, source_words, target_words, source_length, target_length):
    """Source ids, the decoder's inputs, labels and which labels are real; all lengths fixed."""
    source_ids, _ = encode_batch([pair.source for pair in pairs], source_words)
    ids, mask = encode_batch([pair.target for pair in pairs], target_words)
    fed_ids, label_ids, label_mask = (np.asarray(part) for part in shift_right(ids, mask))

    def widened(array, length):
        return np.pad(array, ((0, 0), (0, length - array.shape[1])))

    return (
        widened(source_ids, source_length + 2),
        widened(fed_ids, target_length + 1),
        widened(label_ids, target_length + 1),
        widened(label_mask, target_length + 1),
    )


class Translator(keras.Model):
    """An encoder and a decoder that looks back with `cell_class`, or not at all."""

    def __init__(self, source_size, target_size, cell_class=None, hidden_dim=64):
        super().__init__()
        self.source_table = keras.layers.Embedding(source_size, 32)
        self.target_table = keras.layers.Embedding(target_size, 32)
        reader = keras.layers.GRU(hidden_dim // 2, return_sequences=True, return_state=True)
        self.reader = keras.layers.Bidirectional(reader)
        self.looking = None if cell_class is None else cell_class(hidden_dim)
        if self.looking is not None:
            self.looking.build((None, 32), [(None, hidden_dim)], (None, None, hidden_dim))
        cell = RecurrentCell("gru", hidden_dim) if cell_class is None else self.looking.cell
        self.walk = keras.layers.RNN(cell, return_sequences=True)
        if self.looking is None:
            self.readout = keras.layers.Dense(hidden_dim, activation="tanh")
        self.answer = keras.layers.Dense(target_size)

    def read(self, source_ids):
        """The source (B, S, H), which of it is real (B, S), and the decoder's first state."""
        mask = ops.not_equal(source_ids, 0)
        source, forward, backward = self.reader(self.source_table(source_ids), mask=mask)
        return source, mask, ops.concatenate([forward, backward], axis=-1)

    def call(self, inputs):
        source_ids, fed_ids = inputs
        source, mask, start = self.read(source_ids)
        states = self.walk(self.target_table(fed_ids), initial_state=start)  # (B, T, H)
        if self.looking is None:
            return self.answer(self.readout(states))
        output, _ = self.looking.look_back(states, source, mask)
        return self.answer(output)  # (B, T, V)


def train_translator(model, arrays, epochs, learning_rate=6e-3, seed=0):
    """Train for a few epochs; the model's weights depend on the seed."""
    source_ids, fed_ids, label_ids, label_mask = arrays
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    inputs, real = (source_ids, fed_ids), label_mask.astype("float32")
    model.fit(inputs, label_ids, sample_weight=real, batch_size=128, epochs=epochs, verbose=0)
    return model


def share_right(model, arrays):
    """Per row: the share of right labels, and whether all of them are."""
    source_ids, fed_ids, label_ids, label_mask = arrays
    guess = model.predict((source_ids, fed_ids), batch_size=500, verbose=0).argmax(axis=-1)
    right = (guess == label_ids) & label_mask
    return right.sum(axis=1) / label_mask.sum(axis=1), right.sum(axis=1) == label_mask.sum(axis=1)


reversal = toy_translation.load(kind="reversal", count=8_000, shortest=5, longest=16)
train_arrays, test_arrays = (
    pairs_to_arrays(reversal[part], LETTERS, LETTERS, 16, 16) for part in ("train", "test")
)
test_lengths = np.array([len(pair.source) for pair in reversal["test"]])
by_length = {}


def report(name, model):
    """Print and keep the shares by length of the source."""
    letters, whole = share_right(model, test_arrays)
    by_length[name] = []
    for low, high in BUCKETS:
        rows = (low <= test_lengths) & (test_lengths <= high)
        by_length[name].append((letters[rows].mean(), whole[rows].mean()))
        say(
            f"{low:2}–{high:2} 个字母：对的字母 {letters[rows].mean():.2f}，"
            f"整句全对 {whole[rows].mean():.2f}",
            f"{low:2} to {high:2} letters: {letters[rows].mean():.2f} of the letters right, "
            f"{whole[rows].mean():.2f} of the sequences fully correct",
        )


keras.utils.set_random_seed(0)
forgetful = Translator(len(LETTERS), len(LETTERS))
train_translator(forgetful, train_arrays, epochs=6)
report("one vector", forgetful)

# %% [markdown] lang="zh"
r"""
## 2.2 办法：每说一个词，就回头看一遍

留着编码器在每个位置的输出 $h_1, \dots, h_S$，一个也不丢。解码器走到第 $t$ 步，有了状态 $s_t$，就做三件事：

1. **打分**：$s_t$ 和每个 $h_j$ 有多合得来？得到 $S$ 个**分数**（score）。
2. **分配**：对分数做 softmax，得到 $S$ 个**权重**（weight），都不是负数，加起来等于 1。填充的位置不参加。
3. **混合**：用权重对 $h_j$ 加权求和，得到**上下文向量**（context vector）$c_t$，拿它去猜下一个词。

$$e_{tj} = \mathrm{score}(s_t, h_j), \qquad \alpha_{t} = \mathrm{softmax}(e_{t}), \qquad c_t = \sum_j \alpha_{tj} h_j$$

下面三个词，第 3 章还要用：发问的 $s_t$ 叫**查询**（query），被比较的 $h_j$ 叫**键**（key），被混合的叫**值**（value）。在这一章里，键和值是同一样东西：编码器的输出。

用手算一次。$s = (1, 2)$，源句三个词，点积打分：

| $h_j$ | 分数 $s \cdot h_j$ | $e^{\text{分数}}$ | 权重 |
|---|---|---|---|
| $(2, 0)$ | 2 | 7.39 | 0.468 |
| $(-1, 0.5)$ | 0 | 1.00 | 0.063 |
| $(1, 0.5)$ | 2 | 7.39 | 0.468 |

上下文 $c = 0.468 \cdot (2, 0) + 0.063 \cdot (-1, 0.5) + 0.468 \cdot (1, 0.5) = (1.34, 0.27)$。如果第三个词其实是填充，它就不该参加：权重成了 $0.881, 0.119, 0$，上下文成了 $(1.64, 0.06)$。请拿笔算一算后面这一组。

形状在纸上走一遍。$B$ 句话，$T$ 个查询，$S$ 个键；查询有 $Q$ 维，键有 $K$ 维，值有 $V$ 维：

```text
query (B, T, Q)      key (B, S, K)
        └──── score ─────┘
          scores (B, T, S)
                │ masked_softmax over S
         weights (B, T, S)    value (B, S, V)
                └── context_vector ──┘
                context (B, T, V)
```

解码时 $T = 1$：每走一步问一次。为什么还要留着 $T$ 这一轴？到 2.9 就知道了。
"""

# %% [markdown] lang="en"
r"""
## 2.2 The idea: look back each time you say a word

Keep the encoder's output at every position, $h_1, \dots, h_S$, all of them. At step $t$ the decoder has a state $s_t$ and does three things:

1. **Score**: how well does $s_t$ go with each $h_j$? That makes $S$ **scores**.
2. **Share out**: a softmax turns the scores into $S$ **weights**, none of them negative, which sum to 1. Padding takes no part.
3. **Mix**: the weighted sum of the $h_j$ is the **context vector** $c_t$, and the next word is predicted with it.

$$e_{tj} = \mathrm{score}(s_t, h_j), \qquad \alpha_{t} = \mathrm{softmax}(e_{t}), \qquad c_t = \sum_j \alpha_{tj} h_j$$

Three words that chapter 3 will use as well: $s_t$, which asks, is a **query**; the $h_j$ it is compared with are **keys**; what gets mixed are **values**. In this notebook keys and values are one and the same: the encoder's outputs.

Once by hand, with $s = (1, 2)$, three source words and dot products for scores:

| $h_j$ | score $s \cdot h_j$ | $e^{\text{score}}$ | weight |
|---|---|---|---|
| $(2, 0)$ | 2 | 7.39 | 0.468 |
| $(-1, 0.5)$ | 0 | 1.00 | 0.063 |
| $(1, 0.5)$ | 2 | 7.39 | 0.468 |

The context is $c = 0.468 \cdot (2, 0) + 0.063 \cdot (-1, 0.5) + 0.468 \cdot (1, 0.5) = (1.34, 0.27)$. If the third word is really padding it should stay out of this: the weights become $0.881, 0.119, 0$ and the context $(1.64, 0.06)$. Take a pencil and check the second set.

Now the shapes on paper: $B$ sentences, $T$ queries, $S$ keys; a query has $Q$ components, a key $K$, a value $V$:

```text
query (B, T, Q)      key (B, S, K)
        └──── score ─────┘
          scores (B, T, S)
                │ masked_softmax over S
         weights (B, T, S)    value (B, S, V)
                └── context_vector ──┘
                context (B, T, V)
```

While decoding, $T = 1$: one question at each step. Why keep the axis $T$ at all? 2.9 will tell.
"""

# %%
HAND_STATE = tensor([[[1, 2]]])  # (B=1, T=1, Q=2)
HAND_SOURCE = tensor([[[2, 0], [-1, 0.5], [1, 0.5]]])  # (B=1, S=3, K=2)
HAND_REAL = ops.convert_to_tensor(np.array([[[True, True, False]]]))  # (B=1, T=1, S=3)

# %% [markdown] lang="zh"
r"""
## 2.3 练习：把掩码变成可以加的数

一批句子有长有短，短的补了填充。谁可以看、谁不可以看，课程里一律用布尔掩码表示：`True` = 可以看。很多现成的代码却把掩码写成一个浮点张量，**加**到分数上：可以看的地方加 0，什么也不变；不可以看的地方加一个很大的负数，softmax 之后就只剩 0。BERT 最初的代码就是这样写的（加的是 -10000）。

写 `mask_to_additive(mask, dtype="float32")`：

- `mask`：布尔，形状任意，`True` = 可以看。
- `dtype`：字符串，结果的浮点类型，比如 `"float16"`。
- **返回**与 `mask` 同形状、类型为 `dtype` 的张量：`True` 处是 0，`False` 处是一个**不高于 -1e4 的有限数**；是 `float16` 时也得有限。

拿多大的数？想一想 `float16`：它最大只到 65504，$-10^9$ 放进去就成了负无穷；而负无穷碰上整行都关闭的时候，softmax 会给出 NaN。所以绝对值太小遮不住，太大又会溢出。
"""

# %% [markdown] lang="en"
r"""
## 2.3 Exercise: a mask as numbers to add

Sentences in a batch differ in length, and the short ones are padded. Who may look at what is always a boolean mask in this course: `True` = may attend, that is, may look there. Much existing code writes the mask as a float tensor and **adds** it to the scores: 0 where one may attend, which changes nothing, and a large negative number elsewhere, which a softmax turns into 0. The released code of BERT does it that way (it adds -10000).

Write `mask_to_additive(mask, dtype="float32")`:

- `mask`: bool of any shape, `True` = may attend.
- `dtype`: a string, the float type of the result, such as `"float16"`.
- **Returns** a tensor of the shape of `mask` and the type `dtype`: 0 at `True`, and a **finite number of -1e4 or below** at `False`, finite in `float16` too.

How large a number? Think of `float16`: it ends at 65504, so $-10^9$ becomes minus infinity in it; and where a whole row is closed, minus infinity makes the softmax NaN. So a number too close to 0 closes nothing, and one too far from it overflows.
"""

# %% exercise="mask_to_additive"
from bert_keras.layers.alignment import mask_to_additive

# %% check="mask_to_additive"
check("mask_to_additive", mask_to_additive)

# %% [markdown] lang="zh"
r"""
**看一看。** 把它加到手算例子的分数上。再看两张掩码都要加的时候（填充一张、因果一张，3a 里就会遇到）：`float16` 还装得下吗？

<details><summary>想一想：你填的数，加两张、加三张，还装得下吗？</summary>

加两张，每个数就不能低于约 $-3.2 \cdot 10^4$：填 $-6 \cdot 10^4$ 的，上面已经成了 `-inf`。加三张，$3 \times (-3 \cdot 10^4)$ 也超出了 `float16`。所以要合并掩码，最好在还是布尔值的时候用“与”，只换算一次。
</details>
"""

# %% [markdown] lang="en"
r"""
**See it.** Add it to the scores of the example by hand. Then add two masks, as padding and causality will want in 3a: does `float16` still hold the sum?

<details><summary>Think: with your number, is there room for two of them, for three?</summary>

For two, a number mustn't be below about $-3.2 \cdot 10^4$: with $-6 \cdot 10^4$ you see `-inf` already. For three, $3 \times (-3 \cdot 10^4)$ is beyond `float16` as well. So join masks with "and" while they are still boolean, and turn them into numbers once.
</details>
"""

# %% tags=["experiment"]
if ready("mask_to_additive"):
    hand_scores = np.array([[[2.0, 0.0, 2.0]]])
    added = np.asarray(mask_to_additive(HAND_REAL))
    print("scores + mask", hand_scores + added)
    half = np.asarray(mask_to_additive(HAND_REAL, "float16"))
    print("float16, twice", half + half)

# %% [markdown] lang="zh"
r"""
## 2.4 练习：带掩码的 softmax

写 `masked_softmax(scores, mask=None)`：

- `scores`：浮点，形状 (..., T, S)。
- `mask`：布尔，能广播到 `scores`，`True` = 可以看；`None` = 都可以看。例如填充掩码是 (B, 1, S)。
- **返回**与 `scores` 同形状的权重：每一行（最后一轴）都不是负数，和是 1；关闭的键是 0。
- 有的行可能**一个键也不开放**。这一章约定：这一行平均分配，每个键 $1/S$，不能是 NaN。
- 分数可能很大（比如 120）。自己写指数的话要当心溢出；`ops.softmax` 已经处理好了。

遮的办法有两种：把关闭处的分数**换掉**，换成一个很低的数；或者在它上面**加**一个很低的数，就像 2.3 那样。只要行里还有一个键开着，两种结果一样。整行都关闭的时候呢？拿三个全部关闭的分数，在纸上各算一遍，看哪一种符合上面的约定，再动手写。
"""

# %% [markdown] lang="en"
r"""
## 2.4 Exercise: a softmax that obeys a mask

Write `masked_softmax(scores, mask=None)`:

- `scores`: float of shape (..., T, S).
- `mask`: bool that broadcasts to `scores`, `True` = may attend; `None` = everything is open. A padding mask, for example, is (B, 1, S).
- **Returns** weights of the shape of `scores`: no negative one, each row (the last axis) sums to 1, and closed keys get 0.
- Some row may have **no open key at all**. The convention of this notebook: it shares evenly, $1/S$ for every key, and never NaN.
- Scores may be large (120, say). If you take exponentials yourself, mind the overflow; `ops.softmax` takes care of it.

There are two ways of masking: **replace** a closed score by a very low number, or **add** a very low number to it, as in 2.3. As long as one key of a row is open they agree. And where a whole row is closed? Take three closed scores, do it both ways on paper, see which keeps the convention, and then write.
"""

# %% exercise="masked_softmax"
from bert_keras.layers.alignment import masked_softmax

# %% check="masked_softmax"
check("masked_softmax", masked_softmax)

# %% [markdown] lang="zh"
r"""
**看一看。** 第一组数该和手算的一样。后面比较两种遮法：换掉，和加上。
"""

# %% [markdown] lang="en"
r"""
**See it.** The first numbers should be those you did by hand. Then the two ways of masking side by side: replaced, and added.
"""

# %% tags=["experiment"]
if ready("mask_to_additive", "masked_softmax"):
    hand_scores = tensor([[[2, 0, 2]]])
    print(
        np.round(masked_softmax(hand_scores), 3),
        np.round(masked_softmax(hand_scores, HAND_REAL), 3),
    )
    nobody = ops.zeros((1, 1, 3), dtype="bool")
    for name, mask in (
        (text("两个开着", "two open "), HAND_REAL),
        (text("全部关闭", "all closed"), nobody),
    ):
        added = ops.softmax(hand_scores + mask_to_additive(mask), axis=-1)
        say(
            f"{name}  换掉 {np.round(masked_softmax(hand_scores, mask), 3)}  加上 {np.round(added, 3)}",
            f"{name}  replaced {np.round(masked_softmax(hand_scores, mask), 3)}  "
            f"added {np.round(added, 3)}",
        )

# %% [markdown] lang="zh"
r"""
整行都关闭的时候，“加上”的办法好像掩码根本不存在：整行加同一个数，softmax 看不出来。真实数据里会有这样的行吗？会：凑整批时补进来的、全是填充的行，或者好几张掩码合在一起。没人去读这些行的结果，但**不能是 NaN**，否则一反向传播，别处的梯度也跟着全毁了。

## 2.5 练习：点积打分

两个向量有多合得来，最省事的量法是点积。写 `dot_score(query, key)`：

- `query`：浮点，(B, T, H)；`key`：浮点，(B, S, H)，维数与查询相同。
- **返回** (B, T, S)：第 b 句里，第 t 个查询与第 s 个键的点积。不缩放，不做 softmax。
- 一句的查询只碰同一句的键。
- `ops.swapaxes` 能交换两个轴；`ops.reshape` 也能凑出那个形状，可是数就串了位，而且不报错。
"""

# %% [markdown] lang="en"
r"""
Where a whole row is closed, adding behaves as if there were no mask: the softmax doesn't notice a number added to every entry. Do such rows occur? They do: rows of padding that fill up the last batch, or several masks put together. Nobody reads the result of such a row, but **it must not be NaN**, or back-propagation ruins gradients everywhere else.

## 2.5 Exercise: dot scores

The cheapest measure of how well two vectors go together is their dot product. Write `dot_score(query, key)`:

- `query`: float of shape (B, T, H); `key`: float of shape (B, S, H), of the same size as the query.
- **Returns** (B, T, S): the dot product of query t and key s in sentence b. No scaling, no softmax.
- Queries of a sentence meet keys of that sentence only.
- `ops.swapaxes` exchanges two axes; `ops.reshape` can make that shape too, but then the numbers sit in other places, and no error tells you.
"""

# %% exercise="dot_score"
from bert_keras.layers.alignment import dot_score

# %% check="dot_score"
check("dot_score", dot_score)

# %% [markdown] lang="zh"
r"""
## 2.6 练习：中间放一个矩阵

点积要求查询和键维数相同，可双向编码器的输出往往是解码器状态的两倍宽；它还规定查询的第 i 维只能和键的第 i 维相遇。Luong 等人（2015）在中间放了一个学出来的矩阵，称作 *general*：

$$\mathrm{score}(s, h) = s^\top W h$$

写 `general_score(query, key, kernel)`：

- `query`：(B, T, Q)；`key`：(B, S, K)；`kernel`：(Q, K)，就是上式的 $W$。
- **返回** (B, T, S)。没有激活函数，不缩放。

在纸上想一想：$W$ 是单位矩阵时，它成了什么？先乘查询那边还是先乘键那边，结果一样吗，哪边省事？（句子不变时，键那边只要乘一次。）
"""

# %% [markdown] lang="en"
r"""
## 2.6 Exercise: a matrix in between

Dot products want queries and keys of the same size, while the output of a bidirectional encoder is often twice as wide as the decoder's state; and they let component i of the query meet component i of the key only. Luong and colleagues (2015) put a learned matrix in between and call it *general*:

$$\mathrm{score}(s, h) = s^\top W h$$

Write `general_score(query, key, kernel)`:

- `query`: (B, T, Q); `key`: (B, S, K); `kernel`: (Q, K), the $W$ of the formula.
- **Returns** (B, T, S). No activation, no scaling.

On paper: what is it when $W$ is the identity? Does it matter whether you multiply the queries first or the keys, and which is less work? (While the sentence stays, the keys need it only once.)
"""

# %% exercise="general_score"
from bert_keras.layers.alignment import general_score

# %% check="general_score"
check("general_score", general_score)

# %% [markdown] lang="zh"
r"""
## 2.7 练习：一个小网络来打分

Bahdanau 等人（2015）更早，用的是一个只有一层隐藏单元的小网络，叫**加性**打分：

$$\mathrm{score}(s, h) = v^\top \tanh(W_q^\top s + W_k^\top h)$$

写 `additive_score(query, key, query_kernel, key_kernel, scale)`：

- `query`：(B, T, Q)；`key`：(B, S, K)。
- `query_kernel`：(Q, H)；`key_kernel`：(K, H)；`scale`：(H,)，上式的 $v$，表示每个隐藏单元在分数里占多大分量。
- **返回** (B, T, S)。
- `scale` 只有一个轴，TensorFlow 的 `@` 不认这样的向量；`ops.matmul`、`ops.einsum` 都认，逐个相乘再求和也行。

难点在形状：查询那边乘完是 (B, T, H)，键那边是 (B, S, H)，而 $T$ 个查询要与 $S$ 个键**两两**相加，得到 (B, T, S, H)。两边各要在哪里添一个长度为 1 的轴？$T$ 和 $S$ 碰巧相等时，忘了添轴也不报错，只是第 t 个查询只遇到了第 t 个键。
"""

# %% [markdown] lang="en"
r"""
## 2.7 Exercise: a small network does the scoring

Bahdanau and colleagues (2015) came first, with a small network of one hidden layer, the **additive** score:

$$\mathrm{score}(s, h) = v^\top \tanh(W_q^\top s + W_k^\top h)$$

Write `additive_score(query, key, query_kernel, key_kernel, scale)`:

- `query`: (B, T, Q); `key`: (B, S, K).
- `query_kernel`: (Q, H); `key_kernel`: (K, H); `scale`: (H,), the $v$ of the formula, how much each hidden unit counts in the score.
- **Returns** (B, T, S).
- `scale` has a single axis, and TensorFlow's `@` doesn't take such a vector; `ops.matmul` and `ops.einsum` do, or multiply and sum.

The shapes are the hard part: the queries' side comes out as (B, T, H), the keys' as (B, S, H), and **each** of $T$ queries must be added to **each** of $S$ keys, which makes (B, T, S, H). Where does either side need an axis of length 1? When $T$ and $S$ happen to be equal, forgetting it raises no error; query t then meets key t and no other.
"""

# %% exercise="additive_score"
from bert_keras.layers.alignment import additive_score

# %% check="additive_score"
check("additive_score", additive_score)

# %% [markdown] lang="zh"
r"""
**看一看。** 同样的查询和键，三种打分各分出什么样的权重？矩阵都是随机的，所以图样本身没有意义；看的是另一件事：去掉 tanh 会怎样。

没有 tanh，$v^\top (W_q^\top s + W_k^\top h)$ 里查询那一项对所有的键都一样，softmax 看不出来：**不管谁来问，答案都一样**。下面最后一张图，每一行都相同。激活函数不是摆设。
"""

# %% [markdown] lang="en"
r"""
**See it.** The same queries and keys: what weights does each of the three scores give? The matrices are random, so the patterns mean nothing; what to look at is what happens without the tanh.

Without it, the query's part of $v^\top (W_q^\top s + W_k^\top h)$ is the same for all keys and the softmax drops it: **whoever asks gets the same answer**. In the last picture below all rows are equal. The activation is no ornament.
"""

# %% tags=["experiment"]
if ready("masked_softmax", "dot_score", "general_score", "additive_score"):
    rng = np.random.default_rng(0)
    q, k = tensor(rng.normal(size=(1, 3, 4))), tensor(rng.normal(size=(1, 5, 4)))
    matrix = tensor(rng.normal(size=(4, 4)))
    one, other, v = (tensor(rng.normal(size=shape)) for shape in ((4, 6), (4, 6), (6,)))
    straight = ops.sum(v * ((q @ one)[:, :, None] + (k @ other)[:, None]), axis=-1)
    scored = {
        text("点积", "dot"): dot_score(q, k),
        "general": general_score(q, k, matrix),
        text("加性", "additive"): additive_score(q, k, one, other, v),
        text("加性，没有 tanh", "additive, no tanh"): straight,
    }
    shares = np.stack([np.asarray(masked_softmax(scores))[0] for scores in scored.values()])
    display(
        attention_map(
            ["s1", "s2", "s3"], shares, ["h1", "h2", "h3", "h4", "h5"], titles=[*scored], columns=2
        )
    )

# %% [markdown] lang="zh"
r"""
**用哪一种？** 打分的三种办法，参数和工作量不同。设维数都是 $H$，每个查询和键的一对：

| 打分 | 参数 | 每一对的乘法 | 中间张量 |
|---|---|---|---|
| 点积 | 0 | $H$ | 无 |
| general | $H^2$ | $H$（矩阵可以先乘到键上） | 无 |
| 加性 | $2H^2 + H$ | $H$，另加 $H$ 次 tanh | (B, T, S, H) |

加性打分的中间张量是另外两种没有的：$B = 64$、$T = S = 40$、$H = 128$ 时，float32 要 52 MB。点积没有它，一次矩阵乘法就算完：第 3 章的 Transformer 选点积（再除以 $\sqrt{H}$），这是原因之一。译得好不好呢？存好的实验（2.10）拿 general 和加性比了比。

## 2.8 练习：上下文向量

最后一步最短。写 `context_vector(weights, value)`：

- `weights`：(B, T, S)，每一行的和是 1；`value`：(B, S, V)。
- **返回** (B, T, V)：每个查询一个加权和。只有一个查询时，也要保留 $T$ 那一轴。
"""

# %% [markdown] lang="en"
r"""
**Which one?** The three scores differ in parameters and work. With every size equal to $H$, for one pair of query and key:

| Score | Parameters | Multiplications per pair | Tensor in between |
|---|---|---|---|
| dot | 0 | $H$ | none |
| general | $H^2$ | $H$ (the matrix can be multiplied into the keys beforehand) | none |
| additive | $2H^2 + H$ | $H$, and $H$ times tanh | (B, T, S, H) |

The tensor in between is the additive score's alone: with $B = 64$, $T = S = 40$ and $H = 128$ it takes 52 MB in float32. Dot products do without it and are a single matrix product: one reason why the Transformer of chapter 3 takes them (divided by $\sqrt{H}$). And how well do they translate? The stored experiment of 2.10 compares general with additive.

## 2.8 Exercise: the context vector

The last step is the shortest. Write `context_vector(weights, value)`:

- `weights`: (B, T, S), every row sums to 1; `value`: (B, S, V).
- **Returns** (B, T, V): one weighted sum for each query. A single query keeps its axis $T$, too.
"""

# %% exercise="context_vector"
from bert_keras.layers.alignment import context_vector

# %% check="context_vector"
check("context_vector", context_vector)

# %% tags=["experiment"]
if ready("masked_softmax", "dot_score", "context_vector"):
    for name, mask in (
        (text("都开着", "all open"), None),
        (text("遮了一个", "one closed"), HAND_REAL),
    ):
        hand_weights = masked_softmax(dot_score(HAND_STATE, HAND_SOURCE), mask)
        hand_context = context_vector(hand_weights, HAND_SOURCE)
        print(name, np.round(hand_weights, 3)[0, 0], "→", np.round(hand_context, 2)[0, 0])

# %% [markdown] lang="zh"
r"""
### 方框：注意力就是核回归

统计学早在 1964 年就有这一招，叫 Nadaraya–Watson **核回归**（kernel regression）。手里有一些点 $(x_i, y_i)$，想知道 $x$ 处的 $y$：把所有的 $y_i$ 加权平均，离 $x$ 越近的权重越大。用高斯核，**带宽**（bandwidth）为 $b$：

$$\hat{y}(x) = \sum_i \frac{e^{-(x - x_i)^2 / 2b^2}}{\sum_j e^{-(x - x_j)^2 / 2b^2}} \, y_i = \sum_i \mathrm{softmax}_i\left(-\frac{(x - x_i)^2}{2b^2}\right) y_i$$

$x$ 是查询，$x_i$ 是键，$y_i$ 是值，负的距离平方是分数：一模一样。把平方展开，$-(x - x_i)^2 = 2 x x_i - x_i^2 - x^2$，最后一项对所有的键都一样，softmax 不看；如果键的长度也都一样，就只剩 $x x_i$：**点积打分**，而带宽成了分数前面的倍数。第 3 章除以 $\sqrt{H}$，调的就是这个带宽。

注意力比核回归多了什么？查询、键、值都是**学出来**的：谁和谁算“近”，由训练决定。

下面用你的 `masked_softmax` 和 `context_vector` 做一次核回归。
"""

# %% [markdown] lang="en"
r"""
### Box: attention is kernel regression

Statistics has had this since 1964, as Nadaraya–Watson **kernel regression**. You have points $(x_i, y_i)$ and want $y$ at some $x$: average all $y_i$, those closer to $x$ with more weight. With a Gaussian kernel of **bandwidth** $b$:

$$\hat{y}(x) = \sum_i \frac{e^{-(x - x_i)^2 / 2b^2}}{\sum_j e^{-(x - x_j)^2 / 2b^2}} \, y_i = \sum_i \mathrm{softmax}_i\left(-\frac{(x - x_i)^2}{2b^2}\right) y_i$$

$x$ is the query, the $x_i$ are keys, the $y_i$ values, and minus the squared distance is the score: the very same thing. Expand the square, $-(x - x_i)^2 = 2 x x_i - x_i^2 - x^2$: the last part is the same for all keys and the softmax ignores it; if all keys have one length, only $x x_i$ is left: a **dot score**, with the bandwidth as a factor in front. When chapter 3 divides by $\sqrt{H}$, it sets that bandwidth.

What does attention add to kernel regression? Queries, keys and values are **learned**: training decides what counts as close.

Here is kernel regression with your `masked_softmax` and `context_vector`.
"""

# %% tags=["experiment"]
if ready("masked_softmax", "context_vector"):
    rng = np.random.default_rng(1)
    known_x = np.sort(rng.uniform(0, 6, 40))
    known_y = np.sin(1.5 * known_x) + 0.3 * known_x + 0.25 * rng.normal(size=40)
    asked_x = np.linspace(0, 6, 200)
    words = chart_words(LANG)
    with chart(3) as axes:
        for axis, bandwidth in zip(axes, (0.03, 0.3, 3.0)):
            scores = -((asked_x[:, None] - known_x[None]) ** 2) / (2 * bandwidth**2)
            weights = masked_softmax(tensor(scores[None]))  # (1, T=200, S=40)
            fitted = context_vector(weights, tensor(known_y[None, :, None]))  # (1, 200, 1)
            dots = words("已知的点（键，值）", "known points (key, value)")
            axis.plot(known_x, known_y, MARKERS[0], color="#999999", markersize=3, label=dots)
            line = words("每个查询得到的值", "what each query gets")
            axis.plot(asked_x, np.asarray(fitted)[0, :, 0], color=COLOURS[0], label=line)
            axis.set_title(words(f"带宽 {bandwidth}", f"bandwidth {bandwidth}"))
            axis.set(xlabel="x", ylim=(-1.5, 3.5))
        axes[0].set_ylabel("y")
        axes[0].legend(frameon=False, fontsize="small")

# %% [markdown] lang="zh"
r"""
带宽太小，每个查询只认最近的一个键（权重几乎是 0 和 1，曲线成了台阶）；太大，谁来问都差不多，只得到平均数；中间的才看得出形状。注意力里，分数的大小起的就是带宽的作用。
"""

# %% [markdown] lang="en"
r"""
With too small a bandwidth each query knows only its nearest key (weights of almost 0 and 1, the curve becomes stairs); with too large a one everybody gets about the same, the mean; in between you see the shape. In attention the size of the scores plays the part of the bandwidth.
"""

# %% [markdown] lang="zh"
r"""
## 2.9 练习：会回头看的解码器

零件齐了，装起来。两篇论文的次序不同，网上的代码常常混着来，所以先说清楚：

| | Bahdanau 2015 | Luong 2015 | 本章 |
|---|---|---|---|
| 谁去查询 | 旧状态 $s_{t-1}$ | 新状态 $s_t$ | 新状态 $s_t$ |
| 打分 | 加性 | 点积、general、concat | general |
| 上下文交给谁 | 循环单元，参与算 $s_t$ | 与 $s_t$ 拼接，过一层 tanh | 与 $s_t$ 拼接，过一层 tanh |
| 下一步还用得上吗 | 用得上（在状态里） | 可选：input feeding | 不用 |

一步里发生的事，连同形状，都在下面这张图里：
"""

# %% [markdown] lang="en"
r"""
## 2.9 Exercise: a decoder that looks back

All the parts are there; put them together. The two papers differ in their order of steps and code on the web mixes them, so let us be clear:

| | Bahdanau 2015 | Luong 2015 | Here |
|---|---|---|---|
| who asks | the old state $s_{t-1}$ | the new state $s_t$ | the new state $s_t$ |
| score | additive | dot, general, concat | general |
| where the context goes | into the recurrence, which makes $s_t$ | joined with $s_t$, through a tanh layer | joined with $s_t$, through a tanh layer |
| used in the next step | yes (it is in the state) | optional: input feeding | no |

Here is what happens in one step, with all shapes:
"""

# %%
step_scores = np.array([0.3, -0.8, 2.4, 1.1, -0.2])
step_weights = np.exp(step_scores) / np.exp(step_scores).sum()
picture_words = text(["那只", "黑", "猫", "睡着", "了"], ["the", "black", "cat", "fell", "asleep"])
picture_summary = text(
    "循环单元先走一步；新状态给每个源词打分，masked_softmax 得到权重，context_vector 得到上下文；"
    "上下文与状态拼接，过 output_dense，就是输出。",
    "The cell moves first; its new state scores every source word, masked_softmax makes weights, "
    "context_vector the context; context and state are joined and go through output_dense.",
)
display(decoder_step(picture_words, step_scores, step_weights, picture_summary))

# %% [markdown] lang="zh"
r"""
图里画的是 GRU；换成 LSTM，走一步进出的还有第二个状态（记忆）。`score_kernel` 在新状态和**每一个**源词之间，算出这个词的分数。

写 `AttentionDecoderCell` 的两个方法。`__init__` 和 `build` 已经写好，参数和子层都在：

- `self.cell`：循环单元。`self.cell(x, states)` 返回一对（新状态，所有新状态的列表）。
- `self.score_kernel`：打分用的矩阵，(H, K)。
- `self.output_dense`：全连接层，自带 tanh，没有偏置，输入是 (..., K + H)，输出是 (..., H)。

构造参数：`hidden_dim` 是状态和输出的大小 H；`kind` 是循环单元的种类，`"rnn"`、`"lstm"` 或 `"gru"`。

**`look_back(self, state, source, padding_mask=None)`**：让状态回头看。

- `state`：(B, T, H)，$T$ 个状态；`source`：(B, S, K)，编码器的输出；`padding_mask`：(B, S)，布尔，真词处是 `True`，或 `None`。
- general 打分 → `masked_softmax` → 上下文（被混合的就是 `source` 本身）→ 拼接，**上下文在前、状态在后** → `output_dense`。
- **返回**一对：输出 (B, T, H)，权重 (B, T, S)。

**`call(self, x, states, source, padding_mask=None)`**：走一步。

- `x`：(B, D)，上一个词的嵌入向量；`states`：列表，里面是 (B, H) 的张量：状态，LSTM 还有记忆。
- 循环单元先走；**新状态**去看。LSTM 里去看的是状态，不是记忆。
- `look_back` 要的状态有三个轴，(B, T, H)；走一步时 T = 1，新状态却只有 (B, H)。
- **返回**三样：输出 (B, H)、新状态的**列表**、权重 (B, S)。查询那一轴要去掉。

前面几题里你写过的函数都可以用。
"""

# %% [markdown] lang="en"
r"""
The picture shows a GRU; with an LSTM a second state, the carry, goes in and comes out as well. `score_kernel` stands between the new state and **every** source word and makes the score of each.

Write two methods of `AttentionDecoderCell`. `__init__` and `build` are given; the weights and sub-layers are there:

- `self.cell`: the recurrent cell. `self.cell(x, states)` returns the pair (new state, list of all new states).
- `self.score_kernel`: the matrix for scoring, (H, K).
- `self.output_dense`: a dense layer with a tanh of its own and no bias; it takes (..., K + H) and gives (..., H).

Arguments of the constructor: `hidden_dim`, the size H of a state and of the output; `kind`, the kind of recurrent cell, `"rnn"`, `"lstm"` or `"gru"`.

**`look_back(self, state, source, padding_mask=None)`**: let states look back.

- `state`: (B, T, H), $T$ states; `source`: (B, S, K), the encoder's output; `padding_mask`: bool of shape (B, S), `True` at real words, or `None`.
- General score → `masked_softmax` → context (what gets mixed is `source` itself) → join, **context first, state second** → `output_dense`.
- **Returns** the pair of output (B, T, H) and weights (B, T, S).

**`call(self, x, states, source, padding_mask=None)`**: take one step.

- `x`: (B, D), the word before, embedded; `states`: a list of tensors of shape (B, H): the state and, for an LSTM, the carry.
- The cell moves first; the **new state** looks. With an LSTM it is the state that looks, not the carry.
- `look_back` takes states with three axes, (B, T, H); in a step T = 1, while the new state is (B, H).
- **Returns** three things: output (B, H), the **list** of new states, weights (B, S). The axis of the query is gone.

All the functions you wrote above are yours to use.
"""

# %% exercise="AttentionDecoderCell" blank="look_back,call"
from bert_keras.layers.attention_decoder import AttentionDecoderCell

# %% check="AttentionDecoderCell"
check("AttentionDecoderCell", AttentionDecoderCell)

# %% [markdown] lang="zh"
r"""
**看一看：一步一步走，和一起看。** 训练的时候，译文是已知的，每一步喂什么都定了。我们的次序里，上下文不回到循环单元，所以循环单元可以先从头走到尾，再让**所有的状态一起**回头看：`look_back` 里的 $T$ 那一轴就是留给这个的。结果应当一样：
"""

# %% [markdown] lang="en"
r"""
**See it: step by step, and all at once.** In training the target is known, and so is what every step is fed. In our order the context never goes back into the recurrence, so the cell may walk from end to end first, and then **all states look back together**: that is what the axis $T$ of `look_back` is for. Both ways should agree:
"""

# %% tags=["experiment"]
if ready("AttentionDecoderCell"):
    keras.utils.set_random_seed(2)
    some_cell = AttentionDecoderCell(6)
    rng = np.random.default_rng(2)
    some_inputs, some_source = (
        tensor(rng.normal(size=(2, 5, 3))),
        tensor(rng.normal(size=(2, 4, 8))),
    )
    some_mask = ops.convert_to_tensor(np.array([[True] * 4, [True, True, False, False]]))
    some_states, said = [ops.zeros((2, 6))], []
    for t in range(5):
        one_output, some_states, _ = some_cell(
            some_inputs[:, t], some_states, some_source, some_mask
        )
        said.append(one_output)
    walked = keras.layers.RNN(some_cell.cell, return_sequences=True)(
        some_inputs, initial_state=[ops.zeros((2, 6))]
    )
    together, _ = some_cell.look_back(walked, some_source, some_mask)
    difference = np.abs(np.stack(said, axis=1) - np.asarray(together)).max()
    say(f"两种走法最多差 {difference:.0e}", f"the two differ by {difference:.0e} at most")

# %% [markdown] lang="zh"
r"""
这件小事是通往第 3 章的门：**注意力本身可以整句并行，还得一步一步走的只剩循环单元。** Bahdanau 的次序和 input feeding 做不到这一点，因为下一步要用到这一步的上下文。Transformer 干脆把循环单元也拿掉，代价是要另外告诉它词的先后。

## 2.10 练习：对齐矩阵

解码器走完一句，每一步都留下一行权重；摞起来就是**对齐矩阵**：第 t 行说，说出译文第 t 个词的时候，它看了源句的哪里。

写 `alignment_matrix(step, inputs, states, source, padding_mask=None)`：

- `step`：走一步的函数，比如一个 `AttentionDecoderCell`：`step(x, states, source, padding_mask)` 返回（输出，新状态，权重），权重是 (B, S)。它只是一个能调用的东西，别指望里面有 `cell` 或 `look_back`：一步一步走就行。
- `inputs`：(B, T, D)，每一步喂的嵌入向量；`states`：最初的状态，列表；`source`：(B, S, K)；`padding_mask`：(B, S) 或 `None`。
- **返回** (B, T, S)：**行是译文，列是源句**。

检查用的 `step` 不是训练出来的。第一项检查里，它看哪里是埋好了的：不管喂什么，第 t 步就看第 t 个（照抄），或倒数第 t 个（倒序）。照抄的矩阵亮在主对角线上，倒序的亮在另一条上。其余几项里，看哪里要由喂的东西和上一步的状态一起决定。
"""

# %% [markdown] lang="en"
r"""
This small fact is the door to chapter 3: **attention itself can be done for a whole sentence at once; only the recurrence has to go step by step.** Bahdanau's order and input feeding can't do that, since the next step needs this step's context. The Transformer drops the recurrence as well, and so has to be told the order of the words in another way.

## 2.10 Exercise: the alignment matrix

When the decoder has walked through a sentence, each step has left a row of weights; stacked they are the **alignment matrix**: row t tells where it looked in the source when it said target word t.

Write `alignment_matrix(step, inputs, states, source, padding_mask=None)`:

- `step`: a function that takes one step, such as an `AttentionDecoderCell`: `step(x, states, source, padding_mask)` returns (output, new states, weights), weights of shape (B, S). All you may do with it is call it (don't count on a `cell` or a `look_back` inside): go step by step.
- `inputs`: (B, T, D), what each step is fed, embedded; `states`: the states to begin with, a list; `source`: (B, S, K); `padding_mask`: (B, S) or `None`.
- **Returns** (B, T, S): **rows are the target, columns the source**.

The `step` in the check isn't trained. In its first part, where it looks is planted: whatever it is fed, at step t it looks at token t (a copy), or at the t-th from the end (a reversal). The matrix of a copy lights up along the main diagonal, that of a reversal along the other. In the other parts what it is fed and the state of the step before decide together.
"""

# %% exercise="alignment_matrix"
from bert_keras.layers.attention_decoder import alignment_matrix

# %% check="alignment_matrix"
check("alignment_matrix", alignment_matrix)

# %% [markdown] lang="zh"
r"""
**用一用。** 现在把你的 `AttentionDecoderCell` 装进 2.1 的模型，别的一概不动：数据、大小、训练轮数、种子都一样。

**先说预测：** （1）有了注意力，最长一组整句全对的比例至少高出 0.3；（2）对齐矩阵亮在倒序那条对角线上。
"""

# %% [markdown] lang="en"
r"""
**Use it.** Put your `AttentionDecoderCell` into the model of 2.1 and change nothing else: data, sizes, epochs, seed.

**The prediction, beforehand:** (1) with attention the share of fully correct sequences in the longest group rises by 0.3 or more; (2) the alignment matrix lights up along the diagonal of a reversal.
"""

# %% tags=["experiment"]
if ready("AttentionDecoderCell", "alignment_matrix"):
    keras.utils.set_random_seed(0)
    looking = Translator(len(LETTERS), len(LETTERS), AttentionDecoderCell)
    train_translator(looking, train_arrays, epochs=6)
    report("looking back", looking)
    gain = by_length["looking back"][-1][1] - by_length["one vector"][-1][1]
    held = text("成立", "holds") if gain >= 0.3 else text("不成立", "does not hold")
    say(
        f"预测（1）最长一组整句全对的比例，多了 {gain:+.2f} → {held}",
        f"prediction (1): fully correct in the longest group, {gain:+.2f} → {held}",
    )

    words = chart_words(LANG)
    names = {"one vector": words("一个向量", "one vector")}
    names["looking back"] = words("回头看", "looking back")
    with chart(2) as axes:
        titles = (words("对的字母", "letters right"), words("整句全对", "fully correct"))
        for column, (axis, title) in enumerate(zip(axes, titles)):
            for i, (name, shares) in enumerate(by_length.items()):
                axis.plot(
                    [f"{low}–{high}" for low, high in BUCKETS],
                    [share[column] for share in shares],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    label=names[name],
                )
            axis.set(
                ylim=(-0.03, 1.05), xlabel=words("源句长度", "length of the source"), title=title
            )
        axes[0].legend(frameon=False)

# %% [markdown] lang="zh"
r"""
公平吗？没有注意力的模型训练得太短了吧？有道理：写这一章时，我们让它练到 2.5 倍（750 步，不是 300 步），对的字母升到 0.95、0.78、0.58，整句全对升到 0.65、0.05、0.00。它还在进步，可是最长的一组依旧几乎没有一句念得全；有注意力的，300 步就学会了。更长的句子、更多的种子，见下面存好的实验。

下面是测试集里的一句（不挑，就是第一句长 9 的）：左边是造句时埋下的对齐，右边是模型自己看的地方。行是正确答案的字母（和训练时一样，每一步喂的是正确的上一个字母），列是源句，两头的 BOS、EOS 是那两个记号；不到 5% 的格子不写数字。最后一行 EOS 没有埋过：该停的时候看哪里，由模型自己定。
"""

# %% [markdown] lang="en"
r"""
Is that fair? Hasn't the model without attention been trained too little? A good question: while writing this notebook we gave it two and a half times as much (750 steps in place of 300), and its letters rose to 0.95, 0.78 and 0.58, its fully correct sequences to 0.65, 0.05 and 0.00. It is still getting better, and yet almost none of the longest sequences comes out entirely right; with attention 300 steps were enough to learn it. For longer sentences and more seeds see the stored experiment below.

Here is a sequence of the test set (not picked: the first of length 9). On the left the alignment as it was planted, on the right where the model looks. Rows are the letters of the right answer (as in training, each step is fed the correct letter before), columns are the source, BOS and EOS being the marks around it; cells below 5 % have no number. Nothing was planted for the last row, EOS: where to look when it is time to stop is the model's own choice.
"""


# %% tags=["experiment"]
def looks_of(model, pair, source_words, target_words):
    """Tokens of target and source, and where the model looks while it is fed the right target."""
    arrays = pairs_to_arrays([pair], source_words, target_words, len(pair.source), len(pair.target))
    source, mask, start = model.read(ops.convert_to_tensor(arrays[0]))
    fed = model.target_table(ops.convert_to_tensor(arrays[1]))
    matrix = alignment_matrix(model.looking, fed, [start], source, mask)
    return [*pair.target, "EOS"], ["BOS", *pair.source, "EOS"], np.asarray(matrix)[0]


if ready("AttentionDecoderCell", "alignment_matrix"):
    shown = next(pair for pair in reversal["test"] if len(pair.source) == 9)
    rows, columns, looks = looks_of(looking, shown, LETTERS, LETTERS)
    planted = np.zeros_like(looks)
    for t, places in enumerate(shown.alignment):
        planted[t, np.array(places) + 1] = 1 / len(places)
    names = [text("埋下的", "planted"), text("看到的", "looked at")]
    display(attention_map(rows, np.stack([planted, looks]), columns, titles=names, columns=2))

    some = [part[:200] for part in test_arrays]  # 200 of them at once
    source, mask, start = looking.read(ops.convert_to_tensor(some[0]))
    fed = looking.target_table(ops.convert_to_tensor(some[1]))
    best = np.asarray(alignment_matrix(looking.looking, fed, [start], source, mask)).argmax(-1)
    hits = [
        best[row, t] - 1 in places
        for row, pair in enumerate(reversal["test"][:200])
        for t, places in enumerate(pair.alignment)
    ]
    say(
        f"200 句里，看得最多的正是埋下的那一个：{np.mean(hits):.2f}",
        f"in 200 sequences, the place looked at most is the planted one: {np.mean(hits):.2f}",
    )

# %% [markdown] lang="zh"
r"""
### 存好的实验：句长 5 到 40，三个种子

上面是一个种子、最长 16 的小实验。下面是事先跑好的大一些的：造出来的小语言（词序不同，还有性、数一致），5 到 40 词，三个模型只差注意力：没有、general、加性。预测写在量之前，成不成立照实说。
"""

# %% [markdown] lang="en"
r"""
### Stored: 5 to 40 words, three seeds

That was one seed and sequences of up to 16. Here is a larger one, run beforehand: a generated language (another word order, agreement in gender and number), 5 to 40 words, three models that differ in attention alone: none, general, additive. The claim was written before anything was measured; whether it held is said as it is.
"""


# %% tags=["experiment"]
def tell(result):
    """The claim, and which of its parts held."""
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        verdict = text("成立", "holds") if held else text("不成立", "does not hold")
        print(f"({part}) → {verdict}")


result = stored("attention_by_length")
if result:
    tell(result)
    words = chart_words(LANG)
    kinds = {
        "none": words("没有注意力", "no attention"),
        "multiplicative": words("general", "general"),
        "additive": words("加性", "additive"),
    }
    lengths = [name for name in result["figures"]["none"] if name[0].isdigit()]
    with chart(1, width=6) as (axis,):
        for i, (kind, name) in enumerate(kinds.items()):
            found = [result["figures"][kind][bucket]["token"] for bucket in lengths]
            axis.errorbar(
                lengths,
                [each["mean"] for each in found],
                [each["sd"] for each in found],
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                capsize=3,
                label=name,
            )
        axis.set(ylim=(0, 1.05), xlabel=words("源句长度（词）", "length of the source (words)"))
        axis.set_ylabel(words("对的词", "words right"))
        axis.legend(frameon=False)
    for kind, zh in (("multiplicative", "general"), ("additive", "加性")):
        aligned = result["figures"][kind]["aligned"]
        say(
            f"{zh}：看得最多的源词正是决定它的那一个，{aligned['mean']:.2f} ± {aligned['sd']:.2f}",
            f"{kind}: the source word looked at most is one that decides it, "
            f"{aligned['mean']:.2f} ± {aligned['sd']:.2f}",
        )

# %% [markdown] lang="zh"
r"""
三条都成立，每一条都是三个种子一致：

1. **成立。** 31 到 40 词的句子，没有注意力的只说对 0.13 的词，general 和加性都是 0.99。
2. **成立。** 从最短一组到最长一组，两种注意力都只降了不到 0.01；没有注意力的，从 0.56 降到 0.13。
3. **成立。** 看得最多的正是定下这个词的源词：加性 0.997，三个种子几乎一样；general 平均 0.93，种子之间差得多些（0.87 到 1.00）。两种译得一样好，看得却不一样齐整。

训练都只有 600 步、几十秒（没有 28 秒，general 33 秒，加性 43 秒）。有一点要看清楚：没有注意力的模型，最短的一组也只说对一半多一点，它还远没有学会。差距里有多少是“装不下”，有多少是“学得慢”，这个实验分不开。

## 2.11 真的数据：字母变音素

倒序是造出来的，对齐早知道。换一件真事：英文单词怎么念？输入是字母，输出是音素（phone），数据是卡内基梅隆大学的发音词典（CMUdict，BSD 式许可），十一万多个词。字母和音素大体上从左到右对应，但并不一一对应：`ph` 两个字母一个音，`x` 一个字母两个音，`knight` 里的 `k` 和 `gh` 不发音。没有人标过对齐，模型得自己找。

训练半分钟左右（两个核的空闲机器；忙的时候要一分多钟），译得还不准，看的地方却已经有模样了。下面几个词是先定下来的，而且不在训练集里。图里的行是**词典里**的读音，每一步喂的是正确的上一个音素：看的是“说这个音时它看哪里”，不是模型自己会怎么念。
"""

# %% [markdown] lang="en"
r"""
All three parts hold, each of them in all three seeds:

1. **Holds.** On sentences of 31 to 40 words 0.13 of the words are right without attention, and 0.99 with general as well as with additive scores.
2. **Holds.** From the shortest group to the longest either kind of attention loses less than 0.01; without attention it goes from 0.56 to 0.13.
3. **Holds.** The source word looked at most is one that decides the word: 0.997 with additive scores, in every seed nearly the same; with general ones 0.93 on average, with more between the seeds (0.87 to 1.00). The two translate equally well and don't look equally tidily.

Training took 600 steps, well under a minute (28 seconds without, 33 general, 43 additive). Mind one thing: without attention little more than half of the words are right even in the shortest group, so that model is far from having learnt the language. How much of the gap is "doesn't fit in" and how much "learns slowly" this experiment can't tell apart.

## 2.11 Real data: letters to phones

Reversals are made, and their alignment is known. Now for something real: how is an English word pronounced? Letters go in, phones come out, and the data are the pronouncing dictionary of Carnegie Mellon University (CMUdict, a BSD-style licence), over 110,000 words. Letters and phones go from left to right together, by and large, but not one by one: `ph` is two letters and one sound, `x` one letter and two, and the `k` and `gh` of `knight` are silent. Nobody has marked the alignment; the model has to find it.

It trains for half a minute or so (two idle cores; a busy machine takes over a minute), so it isn't accurate yet; but where it looks makes sense already. The words below were chosen beforehand and are not in the training set. The rows of the pictures are the **dictionary's** phones, and each step is fed the correct phone before: they show where it looks while this sound is due, not how it would pronounce the word by itself.
"""

# %% tags=["experiment"]
CHOSEN = ("photograph", "knighted", "boxed", "thoughtful")
if ready("AttentionDecoderCell", "alignment_matrix"):
    spoken = pronunciations.load()
    chosen = [p for part in spoken.values() for p in part if "".join(p.source) in CHOSEN]
    short = [p for p in spoken["train"] if len(p.source) <= 10 and len(p.targets[0]) <= 10]
    short = [
        toy_translation.AlignedPair(p.source, p.targets[0], ()) for p in short if p not in chosen
    ]
    PHONES = {name: i for i, name in enumerate(["[PAD]", "[UNK]", "[BOS]", "[EOS]"])}
    for phone in sorted({phone for p in short for phone in p.target}):
        PHONES[phone] = len(PHONES)
    keras.utils.set_random_seed(0)
    speaker = Translator(len(LETTERS), len(PHONES), AttentionDecoderCell)
    phone_arrays = pairs_to_arrays(short[:20_000], LETTERS, PHONES, 10, 10)
    train_translator(speaker, phone_arrays, epochs=4)
    for pair in sorted(chosen, key=lambda p: CHOSEN.index("".join(p.source))):
        pair = toy_translation.AlignedPair(pair.source, pair.targets[0], ())
        rows, columns, looks = looks_of(speaker, pair, LETTERS, PHONES)
        display(attention_map(rows, looks, columns, titles=["".join(pair.source)]))

# %% [markdown] lang="zh"
r"""
大体上沿着对角线往下走；`ph` 合说一个音，`boxed` 里 `x` 那一列被看了两次，`knighted` 的 `gh` 没有人看。可是也有不规矩的，我们跑出来的图里就有两处：`knighted` 的 `N`，看的是不发音的 `k`；`thoughtful` 中间的 `T`，看的是 `g`，不是 `t`。这不奇怪：被看的不是字母，而是编码器在那个位置的输出，双向 GRU 早把两边的邻居也写进去了。**看的是哪一格，和用的是哪个字母，是两回事。**（换个种子，它也可能规规矩矩地看 `n`、看 `t`。）

认真训练的结果存好了：两个模型（有、没有注意力）和一条**基线**（baseline）。基线不用神经网络，只查表：看每个字母连同它左右的邻居（两边各至多三个，见过多宽就用多宽）在训练集里最常怎么念。错误率（PER）是要改几个音素（增、删、换）才能改对，除以音素总数。
"""

# %% [markdown] lang="en"
r"""
By and large it goes down the diagonal; `ph` makes one sound, the column of `x` in `boxed` is looked at twice, and nobody looks at the `gh` of `knighted`. But not everything is in order; in the pictures we got, two rows aren't: the `N` of `knighted` looks at the silent `k`, and the `T` in the middle of `thoughtful` at the `g` rather than the `t`. No wonder: what is looked at isn't a letter but the encoder's output at that place, and a bidirectional GRU has written the neighbours on both sides into it. **Which cell is looked at and which letter is used are two things.** (With another seed it may well look at `n` and `t`, as it should.)

The results of serious training are stored: two models, with and without attention, and a **baseline**. The baseline is no network, it looks things up: how each letter was most often spoken between the same neighbours (up to three on each side, as many as were met in training). The error rate (PER) is the number of phones to be inserted, deleted or replaced to put it right, divided by the number of phones.
"""

# %% tags=["experiment"]
result = stored("letters_to_phones")
if result:
    tell(result)
    kinds = {
        "lookup": text("查表    ", "lookup       "),
        "none": text("没有注意力", "no attention "),
        "additive": text("有注意力 ", "attention    "),
    }
    for kind, name in kinds.items():
        exact, errors = (result["figures"][kind][what] for what in ("exact", "phone_error_rate"))
        seconds = result["figures"][kind].get("train_seconds", {}).get("mean")
        how_long = text(f"，训练 {seconds:.0f} 秒", f", trained {seconds:.0f} s") if seconds else ""
        say(
            f"{name} 全对的词 {exact['mean']:.1%} ± {exact['sd']:.1%}，"
            f"PER {errors['mean']:.1%} ± {errors['sd']:.1%}{how_long}",
            f"{name} words fully correct {exact['mean']:.1%} ± {exact['sd']:.1%}, "
            f"PER {errors['mean']:.1%} ± {errors['sd']:.1%}{how_long}",
        )
    exact = {kind: result["figures"][kind]["exact"]["mean"] for kind in kinds}
    gap = exact["additive"] - exact["lookup"]
    say(
        f"全对的词，有注意力的模型比查表{'多' if gap > 0 else '少'} {abs(100 * gap):.1f} 个百分点",
        f"words fully correct: attention is {abs(100 * gap):.1f} points "
        f"{'above' if gap > 0 else 'below'} lookup",
    )

# %% [markdown] lang="zh"
r"""
事先说好的两条，成立的只有第 2 条：

1. **不成立。** 说的是两个模型都胜过查表。有注意力的胜了，三个种子都胜（全对的词 63.9% 对 57.5%，PER 8.8% 对 9.8%）；没有注意力的却只有 48.5%，PER 17.5%，差一大截。
2. **成立。** 有注意力的比没有的多对了 15 个百分点，三个种子都差不多。

训练都只有一分钟上下（1200 步；有注意力的 62 秒，没有的 45 秒）。这些数说的是练这么久的模型；没有注意力的再练下去能不能赶上查表，这里没有量。

查表为什么这么强？英语拼写虽乱，多数字母怎么念，看左右两三个字母就知道；查表把九万多个词全数了一遍，不会忘，也不会犹豫。神经网络要赢它，得靠查表看不到的东西：远处的字母（词尾的 `e` 改变前面的元音），和没见过的组合。**没有基线，49% 和 64% 都说明不了什么。**

## 2.12 练习：BLEU

一个词念对没有，一眼看得出；一句话译得好不好呢？同一句有许多种译法，“一字不差”太苛刻。BLEU（Papineni 等 2002）数的是：译文里的 n-gram（相邻的 n 个词元），有多少也出现在参考译文里。

1. **精确率** $p_n$：长度 n 的 n-gram，匹配的个数 ÷ 译文里的总数；比 n 还短的译文，没有长度 n 的 n-gram。匹配数有上限：参考里只出现一次的词，译文重复十遍也只算一次。**分子、分母都在整个语料上加总**，最后才相除。
2. **几何平均**：$p_1, \dots, p_4$ 的几何平均。没有平滑时，有一个是 0，整个就是 0。
3. **过短惩罚**：译文总长 $c$，参考总长 $r$；$c < r$ 时乘 $e^{1 - r/c}$，否则乘 1。

$$\mathrm{BLEU} = 100 \cdot \min(1, e^{1 - r/c}) \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N}$$

写 `bleu(predictions, references, max_order=4, smooth=False)`：

- `predictions`：序列的列表；`references`：同样多的序列，每个译文一个参考。**序列由什么组成，就按什么数**：字符串按字符，词的列表按词。中文没有空格，常按字算。
- `max_order`：最长的 n，上式的 $N$。
- `smooth`：为 `True` 时，n > 1 的匹配数和总数各加一（Lin 和 Och 2004）；n = 1 不加。
- **返回** 0 到 100 的数。没有平滑时，有哪个 n 一个也不匹配，就是 0；平滑时，只有 n = 1 一个也不匹配才是 0。什么也没译出来，也是 0。
- 两边的句数不同，报 `ValueError`。

`Counter` 已经导入：两个 `Counter` 用 `&` 相交，得到每一项的较小者；`.total()` 是总数。
"""

# %% [markdown] lang="en"
r"""
Of the two parts claimed beforehand only number 2 holds:

1. **Does not hold.** It says that both models beat the lookup. With attention the model does, in all three seeds (63.9 % of the words fully correct against 57.5 %, PER 8.8 % against 9.8 %); without attention it gets 48.5 % and a PER of 17.5 %, a long way below.
2. **Holds.** With attention 15 points more of the words are fully correct, and much the same in every seed.

Training took about a minute (1200 steps; 62 seconds with attention, 45 without). The figures speak of models trained that long; whether the one without attention would catch up with the lookup if it went on wasn't measured.

Why is the lookup so strong? English spelling is wild, but how most letters are spoken can be told from two or three neighbours; the lookup has counted over 90,000 words, forgets none and never hesitates. To beat it a network needs what a lookup can't see: letters further away (an `e` at the end changes the vowel before) and combinations never met. **Without a baseline neither 49 % nor 64 % means anything.**

## 2.12 Exercise: BLEU

Whether a word is pronounced right is plain to see; but how good is a translation? There are many good ones, and "the same to the letter" asks too much. BLEU (Papineni et al. 2002) counts how many n-grams of the translation (runs of n neighbouring tokens) also stand in the reference.

1. **Precision** $p_n$: of the n-grams of length n, matches ÷ number in the translation; one shorter than n has none of that length. Matches are capped: a word that the reference has once counts once, however often the translation repeats it. **Numerators and denominators are added up over the whole corpus** and divided in the end.
2. **Geometric mean** of $p_1, \dots, p_4$. Without smoothing, if one of them is 0, so is the score.
3. **Brevity penalty**: with $c$ the length of all translations and $r$ that of all references, multiply by $e^{1 - r/c}$ where $c < r$, else by 1.

$$\mathrm{BLEU} = 100 \cdot \min(1, e^{1 - r/c}) \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N}$$

Write `bleu(predictions, references, max_order=4, smooth=False)`:

- `predictions`: a list of sequences; `references`: as many, one for each. **What a sequence is made of is what is counted**: the characters of a string, the words of a list of words. Chinese has no spaces and is often counted by characters.
- `max_order`: the longest n, $N$ in the formula.
- `smooth`: where `True`, one is added to matches and totals of every n > 1 (Lin and Och 2004); not to n = 1.
- **Returns** a number from 0 to 100. Without smoothing it is 0 if some n has no match at all; with smoothing, only if n = 1 has none. It is 0 if nothing was predicted.
- A `ValueError` is raised unless there are as many references as predictions.

`Counter` is imported: `&` of two of them keeps the smaller count of each item, and `.total()` adds up all counts.
"""

# %% exercise="bleu"
from bert_keras.text.bleu import bleu

# %% check="bleu"
check("bleu", bleu)

# %% [markdown] lang="zh"
r"""
**看一看。** 下面几条译文，先猜哪条得分高，再运行。参考是 `open the bedroom window`（按词数）和“打开卧室的窗户”（按字数）。第一列不平滑，第二列平滑。
"""

# %% [markdown] lang="en"
r"""
**See it.** Guess which of these translations score high, then run it. The references are `open the bedroom window`, counted in words, and “打开卧室的窗户” (the same in Chinese), counted in characters. The first column is plain, the second smoothed.
"""

# %% tags=["experiment"]
if ready("bleu"):
    english = ["open", "the", "bedroom", "window"]
    heading = text("不平滑  平滑", " plain smooth")
    print(heading)
    for line in (
        "open the bedroom window",
        "open the bedroom windows",
        "close the bedroom window",
        "please open the window of the bedroom",
        "window bedroom the open",
        "open the",
    ):
        plain, smooth = (bleu([line.split()], [english], smooth=s) for s in (False, True))
        print(f"{plain:6.1f} {smooth:6.1f}  {line}")
    print(f"\n{heading}")
    for line, meaning in {
        "打开卧室的窗户": "open the bedroom window",
        "打开卧室窗户": "the same, a particle left out",
        "关闭卧室的窗户": "close the bedroom window",
        "把卧室的窗子开开": "the same in other words",
    }.items():
        plain, smooth = (bleu([line], ["打开卧室的窗户"], smooth=s) for s in (False, True))
        print(f"{plain:6.1f} {smooth:6.1f}  {line}{text('', f'  ({meaning})')}")

# %% [markdown] lang="zh"
r"""
先看平滑的那一列：意思正好反了的 close 和“关闭”得分不低，意思对、换了说法的却不高；词序全乱的，单看一元是满分，靠 n > 1 才拉下来。“open the”怎么会有 36.8？它的一元、二元全对；长度 3、4 的 n-gram 一个也没有，平滑成了 1/1；剩下的只有过短惩罚 $e^{1-4/2} = 0.368$。不平滑的那一列，四个词的句子错一个就可能是 0。一句话的 BLEU 说明不了什么，所以它按整个语料算。它用来比较**同一个测试集上的几个系统**，不是用来给一句话打分的。

**真的翻译：界面文字，英译中。** 数据来自 Home Assistant（Apache-2.0 许可），由人翻译，一万多对，都很短。基线是**抄最近的一条**：在训练集里找最像的一条英文，把它的中文照搬过来。结果事先存好了，BLEU 按字算：
"""

# %% [markdown] lang="en"
r"""
Look at the smoothed column first: "close", which says the opposite, doesn't score badly, in either language, and what says the same in other words doesn't score well; with the words in any order single tokens are all correct, and only n > 1 brings it down. Why 36.8 for "open the"? All its single words and pairs match; it has no n-grams of 3 or 4 words, and smoothing makes 1/1 of that; what remains is the brevity penalty, $e^{1-4/2} = 0.368$. In the plain column one mistake in four words may make it 0. The BLEU of one sentence says little, which is why it is counted over a corpus. It compares **several systems on one test set**; it is no mark for a sentence.

**A real translation: interface strings, English to Chinese.** They come from Home Assistant (Apache-2.0), people translated them, there are about ten thousand pairs, and they are short. The baseline is to **copy**: find the most similar English string of the training set and take its Chinese. The results are stored; BLEU counts characters:
"""

# %% tags=["experiment"]
result = stored("interface_strings")
if result:
    tell(result)
    kinds = {
        "copy": text("抄最近的一条  ", "copy the nearest "),
        "none": text("没有注意力    ", "no attention     "),
        "additive": text("有注意力      ", "attention        "),
    }
    for kind, name in kinds.items():
        score, exact = (result["figures"][kind][what] for what in ("character_bleu", "exact"))
        seconds = result["figures"][kind].get("train_seconds", {}).get("mean")
        how_long = text(f"，训练 {seconds:.0f} 秒", f", trained {seconds:.0f} s") if seconds else ""
        say(
            f"{name} BLEU {score['mean']:.1f} ± {score['sd']:.1f}，"
            f"一字不差 {exact['mean']:.1%} ± {exact['sd']:.1%}{how_long}",
            f"{name} BLEU {score['mean']:.1f} ± {score['sd']:.1f}, "
            f"right to the character {exact['mean']:.1%} ± {exact['sd']:.1%}{how_long}",
        )
    bars = [result["figures"][kind]["character_bleu"]["mean"] for kind in ("additive", "copy")]
    say(
        f"BLEU：有注意力的模型比抄来的{'高' if bars[0] > bars[1] else '低'} {abs(bars[0] - bars[1]):.1f}",
        f"BLEU: attention is {abs(bars[0] - bars[1]):.1f} "
        f"{'above' if bars[0] > bars[1] else 'below'} copying",
    )

# %% [markdown] lang="zh"
r"""
事先说好的三条，前两条成立，第三条没有（每一条都是三个种子一致）：

1. **成立。** 有注意力的 BLEU 是 17.4，没有的只有 3.0，几乎还不会说话。
2. **成立。** 一字不差的，有注意力的有 4.1%，抄来的只有 0.2%。
3. **不成立。** 抄最近的一条，什么也不学，BLEU 就有 37.3；有注意力的还不到它的一半。

同一个模型，一个数赢，一个数输。它能一字不差，也能错得离谱；抄来的几乎没有一条全对，却句句是人写的通顺中文，界面文字彼此又太像，每四条就有一条至多改一两个字便全对。模型练得也短：1200 步，一万对看了七八遍；练得更久能不能追上，这里没有量。所以在这个数据集上，单说“BLEU 多少多少”没有意义：先和照抄比，还要看一字不差的有多少。

## 2.13 找错练习

下面的 `patient(state, source, padding_mask=None)` 是一次完整的“回头看”：状态 `state` 是 (B, H)，`source` 是 (B, S, H)，点积打分，返回一对（上下文，权重），形状 (B, H) 和 (B, S)。它能运行，形状也对，可是有**一个**错。

1. 找出是哪一种，把名字写进 `suspect`（字符串）：

| 名字 | 意思 |
|---|---|
| `softmax_over_one_number` | softmax 沿着长度为 1 的轴做：每个权重都是 1 |
| `softmax_over_the_batch` | softmax 沿着批次的方向做 |
| `mask_after_softmax` | 掩码用在了 softmax 之后 |
| `mask_multiplied` | 掩码乘进了分数 |
| `context_from_scores` | 加权求和用的是分数，不是权重 |
| `context_divided_by_length` | 加权求和之后又取了一次平均 |

2. 写出修好的 `repaired(state, source, padding_mask=None)`。关闭的分数换成 `-3e4`；每句至少有一个真词。

建议先不读代码：状态取全 0，权重应当是多少？再看上下文在不在各个源向量之间。
"""

# %% [markdown] lang="en"
r"""
Of the three parts claimed beforehand the first two hold and the third does not (in each of them all three seeds agree):

1. **Holds.** With attention BLEU is 17.4; without it is 3.0, from a model that can hardly speak yet.
2. **Holds.** With attention 4.1 % of the strings are right to the character, of the copied ones 0.2 %.
3. **Does not hold.** Copying, which learns nothing at all, has a BLEU of 37.3; the model with attention gets less than half of that.

One model wins by one number and loses by the other. It can be right to the character, and it can be far off; hardly a copied string is exactly right, but all of them are fluent Chinese that people wrote, and interface strings resemble each other so much that in one copied string of four changing a character or two puts it right. And the training is short: 1200 steps, in which the model sees the ten thousand pairs seven or eight times; whether it would catch up with more of it wasn't measured. So on this set "a BLEU of so much" means nothing by itself: compare it with copying first, and see how many strings are exactly right.

## 2.13 Debugging drill

`patient(state, source, padding_mask=None)` below is one whole look back: `state` is (B, H), `source` is (B, S, H), the scores are dot products, and it returns the pair (context, weights) of shapes (B, H) and (B, S). It runs, its shapes are right, and it has **one** bug.

1. Find out which, and write its name into `suspect` (a string):

| Name | Meaning |
|---|---|
| `softmax_over_one_number` | the softmax runs over an axis of length 1: every weight is 1 |
| `softmax_over_the_batch` | the softmax runs over the batch |
| `mask_after_softmax` | the mask is used after the softmax |
| `mask_multiplied` | the mask is multiplied into the scores |
| `context_from_scores` | the weighted sum uses the scores, not the weights |
| `context_divided_by_length` | the weighted sum is averaged once more |

2. Write `repaired(state, source, padding_mask=None)`, the fixed version. Closed scores become `-3e4`; every sentence has at least one real word.

Better not read the code at first: with a state of zeros, what must the weights be? Then see whether the context lies between the source vectors.
"""

# %% exercise="drill_ch02_attention"
from drill import patient, suspect, repaired

# %% check="drill_ch02_attention"
check("drill_ch02_attention", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 2.14 同样的东西，在 Keras 和 KerasHub 里

- `keras.layers.Attention` 是点积打分（参数里可以加一个整体的倍数），`keras.layers.AdditiveAttention` 是加性打分，但**不带**两个矩阵：要自己先用全连接层把两边变成同样大小。两个层的参数都是列表，次序是 `[query, value, key]`。
- KerasHub（以前叫 KerasNLP）有 `keras_hub.metrics.Bleu`，得分在 0 到 1 之间；它的 `smooth=True` 连 n = 1 也加一，和 Lin、Och 的原文不同，所以平滑以后两边的数对不上。

用你的函数和它们对一对（没装 KerasHub 也没关系，会跳过）：
"""

# %% [markdown] lang="en"
r"""
## 2.14 The same thing in Keras and KerasHub

- `keras.layers.Attention` scores by dot products (with one factor for all, if you like), `keras.layers.AdditiveAttention` by the additive score **without** its two matrices: you bring both sides to one size with dense layers of your own. Both take a list, in the order `[query, value, key]`.
- KerasHub (once KerasNLP) has `keras_hub.metrics.Bleu`, with scores from 0 to 1; its `smooth=True` adds one to n = 1 as well, unlike Lin and Och's paper, so smoothed numbers differ.

Compare your functions with them (without KerasHub that line is skipped):
"""

# %% tags=["experiment"]
if ready("masked_softmax", "dot_score", "additive_score", "context_vector"):
    rng = np.random.default_rng(4)
    q, k, v = (tensor(rng.normal(size=(2, n, 6))) for n in (3, 5, 5))
    real = ops.convert_to_tensor(np.arange(5) < np.array([[5], [3]]))
    units = tensor(rng.normal(size=6))
    their_dot, their_additive = keras.layers.Attention(), keras.layers.AdditiveAttention()
    their_additive.build([q.shape, v.shape, k.shape])
    their_additive.set_weights([units])
    same = ops.eye(6)
    for name, layer, scores in (
        ("keras.layers.Attention", their_dot, dot_score(q, k)),
        ("keras.layers.AdditiveAttention", their_additive, additive_score(q, k, same, same, units)),
    ):
        ours = context_vector(masked_softmax(scores, real[:, None]), v)
        theirs = layer([q, v, k], mask=[None, real])
        gap = np.abs(np.asarray(ours) - np.asarray(theirs)).max()
        difference = text(f"最多差 {gap:.0e}", f"differs by {gap:.0e} at most")
        print(f"{name:32} {difference}  {'OK' if gap < 1e-5 else '!!'}")

if ready("bleu"):
    try:
        import keras_hub
        import tensorflow as tf

        lines = ["the cat sat on the mat", "a dog ran"], ["the cat sat on a mat", "the dog ran off"]
        for smooth in (False, True):
            metric = keras_hub.metrics.Bleu(tokenizer=tf.strings.split, smooth=smooth)
            metric.update_state([[line] for line in lines[1]], lines[0])
            split = [[line.split() for line in side] for side in lines]
            mine = bleu(*split, smooth=smooth)
            theirs = 100 * float(metric.result())
            print(
                f"keras_hub.metrics.Bleu  smooth={smooth}: "
                + text(f"它的 {theirs:.3f}，你的 {mine:.3f}", f"theirs {theirs:.3f}, yours {mine:.3f}")
            )
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

# %% [markdown] lang="zh"
r"""
## 2.15 常见误解

先逐句判断，再看数字。

1. softmax 之后把权重清零，就算是遮住了。
2. 注意力权重就是解释：模型这样回答，是因为看了那个词。
3. 填充的向量是 0，所以不遮也没关系。
4. 有了注意力，序列到序列的模型就能整句并行了。
5. 对齐矩阵就是一本词典：哪个源词译成哪个词。
"""

# %% [markdown] lang="en"
r"""
## 2.15 Myth box

Judge each sentence first, then look at the numbers.

1. Setting weights to zero after the softmax is masking.
2. Attention weights are explanations: the model answers so because it looked at that word.
3. Pads are zero vectors, so they do no harm without a mask.
4. With attention, a sequence-to-sequence model runs over a whole sentence in parallel.
5. An alignment matrix is a dictionary: which source word becomes which target word.
"""

# %% tags=["experiment"]
if ready("masked_softmax", "additive_score", "context_vector"):
    # 1: three keys, the last one closed; then a closed key that scores far higher
    for name, scores in (
        (text("藏起来的键分数低", "hidden key scores low "), [2.0, 0.0, -1.0]),
        (text("藏起来的键分数高", "hidden key scores high"), [2.0, 0.0, 6.0]),
    ):
        kept = np.asarray(masked_softmax(tensor([[scores]])))[0, 0] * [1, 1, 0]
        say(
            f"1 {name}  权重 {np.round(kept, 3)}  和 {kept.sum():.3f}",
            f"1 {name}  weights {np.round(kept, 3)}  sum {kept.sum():.3f}",
        )

    # 3: zero vectors behind five real keys, additive score, nothing masked
    rng = np.random.default_rng(6)
    asking, real_keys = tensor(rng.normal(size=(1, 1, 4))), tensor(rng.normal(size=(1, 5, 4)))
    one, other, units = (tensor(rng.normal(size=shape)) for shape in ((4, 6), (4, 6), (6,)))
    for pads in (0, 5, 50):
        padded = ops.concatenate([real_keys, ops.zeros((1, pads, 4))], axis=1)
        shares = masked_softmax(additive_score(asking, padded, one, other, units))
        taken = np.asarray(shares)[0, 0, 5:].sum()
        say(
            f"3 {pads:2} 个零向量的填充，拿走 {taken:.1%} 的权重",
            f"3 {pads:2} pads of zeros take {taken:.1%} of the weight",
        )

    # 4: steps that have to wait for each other, S source and T target words
    for S, T in ((10, 10), (40, 40)):
        say(
            f"4 源句 {S} 个词、译文 {T} 个词：循环 {S + T} 步，一步接一步；注意力 {S * T} 个分数，一次算完",
            f"4 {S} source and {T} target words: {S + T} recurrent steps, one after the other; "
            f"{S * T} scores of attention, all at once",
        )

# %% [markdown] lang="zh"
r"""
第 2、5 句要动手干预才知道。拿 2.10 训练好的模型（它在倒序任务上看得很准），在**最后那次回头看**的时候关掉一个源位置，别的全不动：编码器照样读完整句。关掉它本来看得最多的那个；作为对照，关掉它左边的邻居，或者随机一个别的位置。还有一种更狠的：把那个字母从**源句里**换掉，再看答案跟不跟着变。
"""

# %% [markdown] lang="en"
r"""
Numbers 2 and 5 call for an intervention. Take the model trained in 2.10 (on reversals it looks at very clear places) and close one source position in its **look back**, leaving everything else alone: the encoder still reads the whole sentence. Close the place it looks at most; for comparison, that place's left neighbour, or some other place at random. And one stronger act: replace that letter in the **source itself** and see whether the answer follows.
"""

# %% tags=["experiment"]
if ready("AttentionDecoderCell", "alignment_matrix") and "looking" in globals():
    rows = test_lengths >= 9
    source_ids, fed_ids, label_ids, label_mask = (part[rows] for part in test_arrays)
    rng = np.random.default_rng(7)
    lengths = (source_ids != 0).sum(axis=1)
    source, real, start = looking.read(ops.convert_to_tensor(source_ids))
    states = looking.walk(looking.target_table(ops.convert_to_tensor(fed_ids)), initial_state=start)
    output, looks = looking.looking.look_back(states, source, real)
    best = np.asarray(looks).argmax(axis=-1)  # (B, T)
    one = np.arange(len(source_ids))

    def right_when(closed):
        """Share of letters right where position closed[b, t] may not be looked at in step t."""
        right = total = 0
        for t in range(label_ids.shape[1] - 1):
            mask = np.array(real)
            if closed is not None:
                mask[one, closed[:, t]] = False
            said, _ = looking.looking.look_back(
                states[:, t : t + 1], source, ops.convert_to_tensor(mask)
            )
            guess = np.asarray(looking.answer(said))[:, 0].argmax(axis=-1)
            letters = label_mask[:, t] & (label_ids[:, t] != LETTERS["[EOS]"])
            right += (guess == label_ids[:, t])[letters].sum()
            total += letters.sum()
        return right / total

    somewhere = (best + 2 + rng.integers(0, 5, best.shape)) % lengths[:, None]
    for name, closed in (
        (text("什么也不关        ", "nothing closed             "), None),
        (text("关掉看得最多的    ", "the place looked at most   "), best),
        (text("关掉它左边的邻居  ", "its left neighbour         "), np.maximum(best - 1, 0)),
        (text("随机关掉另一个位置", "another place, at random   "), somewhere),
    ):
        print(f"{name} {right_when(closed):.2f}")

    changed, t = source_ids.copy(), 3  # the fourth letter from the end
    place = best[:, t]
    swapped = 4 + (changed[one, place] - 4 + rng.integers(1, 26, len(one))) % 26
    changed[one, place] = swapped
    guess = looking.predict((changed, fed_ids), batch_size=500, verbose=0)[:, t].argmax(axis=-1)
    say(
        f"换掉源句里的那个字母：答案跟着变成新字母的占 {np.mean(guess == swapped):.2f}",
        f"that letter replaced in the source: the answer becomes the new letter in "
        f"{np.mean(guess == swapped):.2f}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 和不是 1；藏起来的键还在分母里，它的分数越高，别的词剩得越少。它没有被遮住，只是没被读出来。
2. **半对。** 关掉看得最多的位置，答案大多就错了；关掉邻居、关掉随机一个位置，几乎没有影响：在这个任务上，权重指的地方确实是用到的地方。可这是**动手试过**才知道的，图本身不说这个。而且被看的是编码器在那个位置的输出，里面早混进了左右邻居；任务一难，就没有这么干净了。3a 和 7a 还要回到这个问题。
3. **错。** 零向量的加性分数是 $v^\top \tanh(W_q^\top s)$，一般不是 0；就算是 0，$e^0 = 1$ 也不是“没有权重”。填充越多，拿走的越多。
4. **错。** 注意力可以整句一起算，循环单元不行：还是 $S + T$ 步，一步等一步。拿掉循环，是第 3 章的事。
5. **半对。** 倒序任务里是的，因为译文的每个字母只由一个源字母决定。真的语言里，一个词常常要看好几个词（冠词的性、数由名词定），对齐是软的；况且模型可以看着一个位置，用的却是那里记下的邻居。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** The sum isn't 1; and the hidden key is still in the denominator: the higher it scores, the less is left for the others. It isn't masked, merely not read out.
2. **Half true.** Close the place looked at most and the answer is mostly lost; close a neighbour or a random place and hardly anything happens: on this task the weights do point at what is used. But we know that because we **tried it**; the picture doesn't say so. Besides, what is looked at is the encoder's output at that place, which has its neighbours mixed in; on harder tasks things aren't so clean. 3a and 7a come back to this.
3. **Wrong.** The additive score of a zero vector is $v^\top \tanh(W_q^\top s)$, which as a rule isn't 0; and if it were, $e^0 = 1$ isn't "no weight" either. More pads take more.
4. **Wrong.** Attention can be done for the whole sentence at once, the recurrence can't: it is still $S + T$ steps, each waiting for the one before. Doing away with the recurrence is for chapter 3.
5. **Half true.** In a reversal it is, since one source letter decides each target letter. In real language a word often needs several (the noun decides gender and number of its article), so alignments are soft; and a model may look at one place and use what that place remembers of its neighbours.
"""

# %% [markdown] lang="zh" exercise="written_ch02_attention"
r"""
## 2.16 简答题

同事给一个英译中的序列到序列模型加上了注意力，在界面文字上测了一次：字符 BLEU 从 35 升到 46。他画了一张对齐矩阵，对角线很亮，于是写道：“注意力让模型学会了翻译，从图上可以看到它为什么这样译。”

用 150 字左右回答：这两句话，证据各支持到什么程度？至少引用本章里的两个数字（可以是你自己跑出来的，也可以是存好的结果），再提出一个他应当补做的比较或干预，并事先说好什么样的结果会推翻他。

这道题由老师评阅，不计入 40 分。好的回答里有一条基线、一次干预，和一个事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch02_attention"
r"""
## 2.16 Written question

A colleague adds attention to a sequence-to-sequence model for English to Chinese and tests it once on interface strings: BLEU over characters rises from 35 to 46. He draws an alignment matrix with a bright diagonal and writes: "Attention has taught the model to translate, and the picture shows why it translates as it does."

Answer in about 100 words: how far does the evidence carry each half of that sentence? Quote at least two numbers of this notebook (your own runs or stored results), propose one comparison or intervention he ought to add, and say beforehand which result would refute him.

Your teacher reads this one; it is not part of the 40 points. A good answer has a baseline, an intervention, and a criterion fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 指出 46 要跟照抄的基线比（存好的结果里有），并指出只测了一次、没有种子之间的起伏，也没说一字不差的比例；引用了两个本章的数字。
2. 分清“权重高”和“因此译对”，并用干预来说明（关掉看得最多的位置、关掉别的位置、换掉源词）。
3. 补做的比较或干预有对照，并事先说清哪种结果支持、哪种结果推翻他的说法。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Says that 46 has to be compared with the copying baseline (it is among the stored results), that one run shows no spread between seeds, and that the share of exact strings is missing; quotes two numbers of this notebook.
2. Tells "a high weight" from "right because of it", with an intervention (closing the place looked at most, closing another, replacing the source word).
3. The comparison or intervention proposed has a control, and says beforehand which result would support him and which would refute him.
"""

# %% [markdown] lang="zh"
r"""
## 2.17 小结：半页带走

**三步。** 打分、分配、混合：

$$e_{tj} = \mathrm{score}(s_t, h_j), \qquad \alpha_{t} = \mathrm{softmax}(e_{t}), \qquad c_t = \sum_j \alpha_{tj} h_j$$

| 打分 | 公式 | 记住 |
|---|---|---|
| 点积 | $s^\top h$ | 两边维数相同 |
| general | $s^\top W h$ | 矩阵把两种维数接起来 |
| 加性 | $v^\top \tanh(W_q^\top s + W_k^\top h)$ | 没有 tanh，就不管谁来问 |

**形状。** 查询 (B, T, Q)，键 (B, S, K)，值 (B, S, V)；分数和权重 (B, T, S)，每一行的和是 1；上下文 (B, T, V)。

**掩码。** 布尔，`True` = 可以看；在 softmax **之前**换成 `-3e4`；整行都关闭也不能是 NaN。

**译得好不好。** BLEU 在整个语料上数 n-gram，必须和一条基线比；一句话的 BLEU 别当真。

还有一句：循环单元要一步一步走，注意力不用。
"""

# %% [markdown] lang="en"
r"""
## 2.17 Half a page to take with you

**Three steps.** Score, share out, mix:

$$e_{tj} = \mathrm{score}(s_t, h_j), \qquad \alpha_{t} = \mathrm{softmax}(e_{t}), \qquad c_t = \sum_j \alpha_{tj} h_j$$

| Score | Formula | Remember |
|---|---|---|
| dot | $s^\top h$ | both sides of one size |
| general | $s^\top W h$ | a matrix joins two sizes |
| additive | $v^\top \tanh(W_q^\top s + W_k^\top h)$ | without the tanh it doesn't matter who asks |

**Shapes.** Queries (B, T, Q), keys (B, S, K), values (B, S, V); scores and weights (B, T, S), each row sums to 1; context (B, T, V).

**Masks.** Boolean, `True` = may attend; closed scores become `-3e4` **before** the softmax; a row that is closed altogether must not be NaN.

**How good is a translation?** BLEU counts n-grams over a whole corpus and needs a baseline beside it; never trust that of one sentence.

And one sentence: a recurrence goes step by step, attention doesn't have to.
"""

# %% [markdown] lang="zh"
r"""
## 2.18 接下来

- **3a** 让一句话里的词互相看，不再需要循环单元；打分改成除以 $\sqrt{H}$ 的点积。
- **3c** 把序列到序列、加注意力的、Transformer 和照抄放在同一个测试集上比。
- **7a** 再问一次：注意力权重能不能当解释？

想读原文：Bahdanau 等人的 [Neural Machine Translation by Jointly Learning to Align and Translate](https://arxiv.org/abs/1409.0473)，图 3 就是对齐矩阵；Luong 等人的 [Effective Approaches to Attention-based Neural Machine Translation](https://arxiv.org/abs/1508.04025) 第 3 节，三种打分都在里面。课程库里的整个模型在 `bert_keras/models/seq2seq.py`，`configs/` 里有训练它的设置。
"""

# %% [markdown] lang="en"
r"""
## 2.18 Where next

- **3a** lets the words of one sentence look at each other and needs no recurrence; scores become dot products divided by $\sqrt{H}$.
- **3c** puts seq2seq, seq2seq with attention, the Transformer and copying on one test set.
- **7a** asks again: can attention weights serve as explanations?

For the sources: [Neural Machine Translation by Jointly Learning to Align and Translate](https://arxiv.org/abs/1409.0473) by Bahdanau et al., whose figure 3 is an alignment matrix; and section 3 of [Effective Approaches to Attention-based Neural Machine Translation](https://arxiv.org/abs/1508.04025) by Luong et al., with all the scores. The library's whole model is in `bert_keras/models/seq2seq.py`, and `configs/` has the settings to train it.
"""
