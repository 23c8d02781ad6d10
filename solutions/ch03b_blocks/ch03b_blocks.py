# %% [markdown] lang="zh"
r"""
# 3b 编码器块与解码器块

上一章写好的自注意力能让每个词看到任何一个词，可它还不是 Transformer。它不认识词序；叠上几层，所有的词就都变成一个样；而且它只会把现成的向量加权平均，每个词没有机会自己“想一想”。这一章补上缺的四样零件：**位置**、**层归一化**（layer normalisation）、**残差连接**（residual connection）、**前馈网络**（feed-forward network），再把它们装成两种块：编码器块（encoder block）和解码器块（decoder block）。BERT 就是十二个编码器块，一个接一个。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `sinusoidal_positions` | 4 | 15 | 核心 | 正弦、余弦交错排列；位置从 0 数起；D 是偶数 | 公式 |
| `LearnedPositions` | 3 | 10 | 加分 | 超出最大长度就抛出 `ValueError` | 随机张量 |
| `LayerNorm` | 5 | 20 | 核心 | 总体方差；ε 在根号里 | 手算的一个词 |
| `residual_post_ln` | 2 | 5 | 核心 | 先加，后归一化 | 随机张量 |
| `residual_pre_ln` | 2 | 5 | 核心 | 先归一化，旁路不动 | 随机张量 |
| `FeedForward` | 4 | 10 | 核心 | 两个全连接层，激活函数在中间 | 随机张量 |
| `EncoderBlock` | 7 | 25 | 核心 | 默认后归一化（post-LN），`norm_first` 为前归一化（pre-LN）；返回（输出，权重） | 随机张量 |
| `DecoderBlock` | 9 | 30 | 核心 | 先看译文，再看源句；三个残差，三个归一化 | 随机张量 |
| `drill_ch03b_blocks` | 6 | 15 | 核心 | 一个后归一化的解码器块 | 一段有一个错的代码 |
| `written_ch03b_blocks` | 0 | 12 | 核心 | 老师评阅，不计入 39 分 | 本章的图和数字 |

核心练习 39 分，加分题 3 分。只做练习两个多小时，连同实验大约三小时；分两次做的话，3b.6 之前是个合适的停顿处。

做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`，有错的地方想看提示，就点开；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 3b Encoder block and decoder block

The self-attention of the last notebook lets every word reach every other, but it isn't a Transformer yet. It doesn't know word order; stack a few of them and all words become the same; and all it can do is average vectors that are there already: no word ever gets to think for itself. This notebook adds the four missing parts, **positions**, **layer normalisation**, the **residual connection** and the **feed-forward network**, and builds two kinds of block from them: the encoder block and the decoder block. BERT is twelve encoder blocks, one after the other.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `sinusoidal_positions` | 4 | 15 | core | sines and cosines interleaved; positions start at 0; D is even | a formula |
| `LearnedPositions` | 3 | 10 | stretch | too long raises `ValueError` | random tensors |
| `LayerNorm` | 5 | 20 | core | population variance; ε inside the root | one word by hand |
| `residual_post_ln` | 2 | 5 | core | add first, then normalise | random tensors |
| `residual_pre_ln` | 2 | 5 | core | normalise first, and leave the bypass alone | random tensors |
| `FeedForward` | 4 | 10 | core | two dense layers, the activation in the middle | random tensors |
| `EncoderBlock` | 7 | 25 | core | post-LN unless told otherwise, pre-LN with `norm_first`; returns (output, weights) | random tensors |
| `DecoderBlock` | 9 | 30 | core | looks at the target, then at the source; three residuals, three norms | random tensors |
| `drill_ch03b_blocks` | 6 | 15 | core | a post-LN decoder block | a piece of code with one bug |
| `written_ch03b_blocks` | 0 | 12 | core | read by your teacher, not part of the 39 points | the pictures and numbers of this notebook |

39 core points and 3 to stretch for. The exercises take a little over two hours, with the experiments about three; for two sittings, just before 3b.6 is a good place to pause.

Working, hints, saving and handing in go as in the earlier notebooks: run `check(...)` under each exercise and, where something is wrong, open the hints if you want them; when you come back, run the cells from the top **in order**.
"""

# %%
import math

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.attention import attention_map
from bert_keras.analysis.block_flow import block_flow
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.layers import transformer as library
from bert_keras.layers.attention import MultiHeadAttention
from bert_keras.layers.decoder import DecoderBlock as LibraryDecoderBlock
from bert_keras.layers.masks import causal_mask
from bert_keras.training.gradients import value_and_gradients

LANG = language()
np.set_printoptions(suppress=True)


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


def largest_gap(one, other):
    """The largest difference between two arrays, wherever it is."""
    return float(np.abs(np.asarray(one) - np.asarray(other)).max())


# %% [markdown] lang="zh"
r"""
## 3b.1 还缺什么？

先看最刺眼的一处。“狗咬人”和“人咬狗”用的是同样三个词。给每个词一个随机向量，过一层 3a 的多头注意力，再把各个词的输出平均成一个句向量，像做分类时那样。

**先预测：** 两句话的句向量差多少？
"""

# %% [markdown] lang="en"
r"""
## 3b.1 What is missing?

First the most glaring thing. "Dog bites man" and "man bites dog" are made of the same three words. Give every word a random vector, send the sentence through one layer of the multi-head attention of 3a, and average its outputs into one vector for the whole sentence, as a classifier would.

**Predict first:** how far apart are the vectors of the two sentences?
"""

# %% tags=["experiment"]
keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
news = text(["狗", "咬", "人"], ["dog", "bites", "man"])
vectors = dict(zip(news, rng.normal(size=(3, 8))))
one_layer = MultiHeadAttention(num_heads=2, hidden_dim=8)
means = []
for words in (news, news[::-1]):
    x = tensor([[vectors[word] for word in words]])  # (1, 3, 8)
    means.append(np.asarray(one_layer(x, x, x)[0])[0].mean(axis=0))
    print(text("", " ").join(words), np.round(means[-1][:5], 4), "...")
say(
    f"最多差 {largest_gap(*means):.0e}",
    f"they differ by {largest_gap(*means):.0e} at most",
)

# %% [markdown] lang="zh"
r"""
只差一点舍入误差，或者丝毫不差。不管后面接什么分类器、训练多久，它都分不出谁咬了谁。这是缺的第一样：**位置**。

另外三样，一样一样来：

- 注意力的输出是值的加权平均。平均再平均，词和词会越来越像。要有一条**旁路**，让每个词自己原来的向量直接走过去：残差连接。
- 旁路和支路一加再加，数字越来越大。要有人不时把尺度调回来：层归一化。
- 平均不会产生新东西。每个词从别处收来了信息，还要自己加工一下：前馈网络。

装好以后是下面这个样子（本章结束时，图里每一个方框都是你写过的）。竖着的粗线是旁路，(B, T, D) 从头到尾不变，所以块可以一个接一个地叠下去。左右两种画法差在归一化放在哪里（由参数 `norm_first` 决定），3b.4 和 3b.8 会比较。支路末尾的小方框 `dropout` 只在训练时起作用：相加之前，随机丢掉支路输出的一部分。
"""

# %% [markdown] lang="en"
r"""
A rounding error at most. Whatever classifier comes next and however long it trains, it can't tell who bit whom. So that is the first thing missing: **positions**.

The other three, in turn:

- The output of attention is a weighted mean of values. Average again and again, and words grow alike. There has to be a **bypass** on which each word's own vector goes straight through: the residual connection.
- Bypass plus branch, again and again, and numbers grow. Somebody has to bring them back to size from time to time: layer normalisation.
- A mean makes nothing new. Having collected from elsewhere, each word needs to do some work of its own: the feed-forward network.

Put together it looks like this (by the end of the notebook you will have written every box of it). The thick vertical line is the bypass; (B, T, D) stays the same from top to bottom, which is why blocks can be stacked. The two sides differ in where they normalise (the argument `norm_first` decides); 3b.4 and 3b.8 compare them. The small box `dropout` at the end of a branch acts in training only: some of what the branch gives is dropped at random before it is added.
"""

# %% tags=["experiment"]
display(block_flow("encoder", LANG))

# %% [markdown] lang="zh"
r"""
## 3b.2 练习：一排快慢不同的指针（正弦位置编码）

怎样用几个数说清“我是第几个词”？直接写下 $t$ 不行：数会越来越大，第 500 个词的位置会把词向量淹没。2017 年那篇论文用的是钟表的办法：秒针转得快，看得清相邻的两秒；时针转得慢，看得清上午和下午；几根针合起来，数字始终在 −1 和 1 之间，读数却各不相同。

每根指针占两列，一列正弦，一列余弦（指针针尖的两个坐标）。$D$ 列就是 $D/2$ 根指针，第 $i$ 根在第 $t$ 个位置转过的角度是 $t / 10000^{2i/D}$：

$$\mathrm{PE}(t, 2i) = \sin\left(\frac{t}{10000^{2i/D}}\right), \qquad \mathrm{PE}(t, 2i+1) = \cos\left(\frac{t}{10000^{2i/D}}\right)$$

$D = 4$ 时有两根：第 0 根每走一步转 1 弧度，第 1 根转 $1/100$ 弧度。拿计算器至少验算一行：

| $t$ | 第 0 列 $\sin t$ | 第 1 列 $\cos t$ | 第 2 列 $\sin \frac{t}{100}$ | 第 3 列 $\cos \frac{t}{100}$ |
|---|---|---|---|---|
| 0 | 0 | 1 | 0 | 1 |
| 1 | 0.8415 | 0.5403 | 0.0100 | 1.0000 |
| 2 | 0.9093 | −0.4161 | 0.0200 | 0.9998 |

写 `sinusoidal_positions(length, hidden_dim)`：

- `length`：整数 T，要描述的位置个数，位置 $t$ 从 0 数起。
- `hidden_dim`：整数 D，每个位置用几个数描述；总是偶数，不必检查。
- **返回** float32 张量，形状 (T, D)；NumPy 数组也行。
- 一对里的两列是**同一根**指针，转过的角度相同；两列挨着放：第 $2i$ 列是正弦，第 $2i + 1$ 列是余弦，$i = 0, 1, \dots, D/2 - 1$。
"""

# %% [markdown] lang="en"
r"""
## 3b.2 Exercise: a row of hands, fast and slow (sinusoidal positions)

How do a few numbers say "I am word number so-and-so"? Writing down $t$ won't do: it grows without end, and the position of word 500 would drown its meaning. The paper of 2017 did it like a clock: the second hand is fast and tells neighbouring seconds apart; the hour hand is slow and tells morning from afternoon; together, all numbers stay between −1 and 1 and no two readings are the same.

A hand takes two columns, a sine and a cosine (the coordinates of its tip). $D$ columns are $D/2$ hands, and at position $t$ hand $i$ has turned by the angle $t / 10000^{2i/D}$:

$$\mathrm{PE}(t, 2i) = \sin\left(\frac{t}{10000^{2i/D}}\right), \qquad \mathrm{PE}(t, 2i+1) = \cos\left(\frac{t}{10000^{2i/D}}\right)$$

With $D = 4$ there are two: hand 0 turns by 1 radian a step, hand 1 by $1/100$. Take a calculator and check one row at least:

| $t$ | column 0 $\sin t$ | column 1 $\cos t$ | column 2 $\sin \frac{t}{100}$ | column 3 $\cos \frac{t}{100}$ |
|---|---|---|---|---|
| 0 | 0 | 1 | 0 | 1 |
| 1 | 0.8415 | 0.5403 | 0.0100 | 1.0000 |
| 2 | 0.9093 | −0.4161 | 0.0200 | 0.9998 |

Write `sinusoidal_positions(length, hidden_dim)`:

- `length`: the int T, how many positions to describe; position $t$ counts from 0.
- `hidden_dim`: the int D, how many numbers describe a position; always even, no need to check.
- **Returns** a float32 tensor of shape (T, D); a NumPy array is fine too.
- Both columns of a pair are the **same** hand, turned by the same angle, and they stand side by side: column $2i$ is the sine and column $2i + 1$ the cosine, $i = 0, 1, \dots, D/2 - 1$.
"""

# %% exercise="sinusoidal_positions"
from bert_keras.layers.positions import sinusoidal_positions

# %% check="sinusoidal_positions"
check("sinusoidal_positions", sinusoidal_positions)

# %% [markdown] lang="zh"
r"""
**看一看。** 左图是表的前 64 行，横着是列，竖着是位置：左边的指针转得快，越往右越慢。右图量的是相似度：位置 $t$ 和 $t + k$ 两行的点积，再除以 $D/2$。（后两条只画记号，免得互相遮住。）

**先预测：** 从 $t = 0$、$t = 30$、$t = 60$ 出发，三条曲线一样吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** On the left the first 64 rows of the table, columns across and positions down: the hands on the left are fast, and they get slower to the right. On the right, similarity: the dot product of rows $t$ and $t + k$, divided by $D/2$. (Two of the curves are drawn as marks only, so that none hides another.)

**Predict first:** starting from $t = 0$, $t = 30$ and $t = 60$, are the three curves the same?
"""

# %% tags=["experiment"]
if ready("sinusoidal_positions"):
    waves = np.asarray(sinusoidal_positions(128, 64), "float64")  # (T, D)
    words = chart_words(LANG)
    with chart(2, width=4.4, height=3.4) as axes:
        shown = axes[0].imshow(waves[:64], aspect="auto", cmap="cividis", vmin=-1, vmax=1)
        axes[0].figure.colorbar(shown, ax=axes[0], ticks=[-1, 0, 1])
        axes[0].grid(False)
        axes[0].set(xlabel=words("列", "column"), ylabel=words("位置 t", "position t"))
        distances = np.arange(0, 61)
        for i, start in enumerate((0, 30, 60)):
            similar = waves[start + distances] @ waves[start] / 32
            axes[1].plot(
                distances,
                similar,
                color=COLOURS[i],
                linestyle="" if i else "-",  # one line and two kinds of marks: none hides another
                marker=MARKERS[i] if i else "",
                markevery=(2 * i, 5),
                markerfacecolor="white",
                label=f"t = {start}",
            )
        axes[1].set(xlabel=words("距离 k", "distance k"), ylim=(0, 1.05))
        axes[1].set_ylabel(words("相似度", "similarity"))
        axes[1].legend(frameon=False)
    for k in (0, 1, 5, 20):
        shares = [waves[start + k] @ waves[start] / 32 for start in (0, 30, 60)]
        print(f"k = {k:2}: " + "  ".join(f"t = {t}: {n:.4f}" for t, n in zip((0, 30, 60), shares)))

    # One matrix that turns every hand by what it turns in k steps, whatever the position.
    for k in (1, 5, 50):
        turn = np.zeros((64, 64))
        for i in range(32):
            angle = k / 10000 ** (2 * i / 64)
            cos, sin = math.cos(angle), math.sin(angle)
            turn[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
        gap = largest_gap(waves[k:], waves[:-k] @ turn.T)
        say(
            f"同一个矩阵把每个位置转到 {k} 步之后：最多差 {gap:.0e}",
            f"one matrix turns every position into the one {k} further on: "
            f"it misses by {gap:.0e} at most",
        )

# %% [markdown] lang="zh"
r"""
左图右半边的竖条纹也有道理：那里的指针慢得几乎没动，正弦列总在 0 附近（灰），余弦列总在 1 附近（黄）。

三条曲线叠在一起：相似度只跟**距离**有关，跟从哪里出发无关。因为 $\sin a \sin b + \cos a \cos b = \cos(a - b)$，每根指针只贡献一个 $\cos(k / 10000^{2i/D})$。曲线一起一伏，是因为指针会转回来：快的那几根，隔几步就又对上一次。

往后走 $k$ 步，就是每根指针再转一个固定的角度，所以有**一个**矩阵 $R_k$，对所有的 $t$ 都有 $\mathrm{PE}(t + k) = R_k\,\mathrm{PE}(t)$。这对注意力很要紧：查询乘的那个矩阵只要学成 $R_{-k}$ 的样子（往回转 $k$ 步），一个头就能“看前面第 $k$ 个词”，在哪个位置都管用。（只看点积分不清左右，距离 $k$ 和 $-k$ 一样相似；乘过矩阵就分得清了。）

**为什么是加上去，不是接在后面？** 把词写成独热向量、位置也写成独热向量，接起来再乘一个矩阵，得到的正是“词的一行加上位置的一行”。所以相加就是拼接，只是两边共用 $D$ 个特征，不必把模型加宽。特征一多，两样东西多半不会撞在一起，后面的矩阵能把它们分开。倒是要留意两边的大小：原版 Transformer 的词向量很小（方差约 $1/D$），所以先乘 $\sqrt{D}$ 再加位置；BERT 和 GPT 不乘。
"""

# %% [markdown] lang="en"
r"""
The stripes on the right half of the table make sense, too: those hands are so slow that they have hardly moved, so sines stay near 0 (grey) and cosines near 1 (yellow).

The three curves lie on top of each other: similarity depends on the **distance** alone, not on where you start. Since $\sin a \sin b + \cos a \cos b = \cos(a - b)$, each hand contributes just $\cos(k / 10000^{2i/D})$. The curve goes up and down because each hand comes round again, the fast ones every few steps.

To go $k$ steps further is to turn every hand by a fixed angle, so there is **one** matrix $R_k$ with $\mathrm{PE}(t + k) = R_k\,\mathrm{PE}(t)$ for all $t$. That matters to attention: once the matrix of the queries has learnt to be something like $R_{-k}$ ($k$ steps backwards), a head can look "$k$ words back", and it works at every position. (The bare dot product can't tell left from right, $k$ and $-k$ are equally similar; with a matrix in between it can.)

**Why added, and not put alongside?** Write the word as a one-hot vector and the position as another, join the two and multiply by a matrix: what comes out is just "the word's row plus the position's row". So adding is joining, except that both share the same $D$ features and the model need not be wider. With many features the two rarely get in each other's way, and later matrices can separate them. What does deserve attention is size: the original Transformer has small word vectors (variance about $1/D$), so it multiplies them by $\sqrt{D}$ before it adds positions; BERT and GPT don't.
"""

# %% [markdown] lang="zh"
r"""
### 加分题：学出来的位置

BERT 没有用公式，它给每个位置一个可以训练的向量，跟词向量一样从随机数开始学。最多 512 个位置，这就是 BERT 一次最多读 512 个词元的原因：第 513 行根本不存在。

写一层 `LearnedPositions`。构造函数已经写好（`max_sequence_length`、`initializer_stddev`），你来写 `build` 和 `call`：

- `build(x_shape)`：用 `self.add_weight` 建一个参数 `self.table`（登记时也叫这个名字：`name="table"`），形状 (`max_sequence_length`, D)，D 是 `x` 最后一轴的大小；初始值从均值为 0 的正态分布里抽，标准差是 `self.initializer_stddev`；BERT 用的是截断的那种，`keras.initializers.TruncatedNormal`，不截断也算对。
- `call(x)`：`x` 是浮点张量，形状 (B, T, D)。**返回**同样形状的张量：第 t 个词加上表的第 t 行，每句话都一样。
- T 可以比 `max_sequence_length` 小，那就只用前 T 行；比它大，就抛出 `ValueError`，别悄悄给出错的结果。
"""

# %% [markdown] lang="en"
r"""
### Stretch: learned positions

BERT doesn't use a formula: it has a trainable vector for every position, which starts from random numbers as word vectors do. There are 512 of them, and that is why BERT reads 512 tokens at most: there simply is no row 513.

Write the layer `LearnedPositions`. The constructor is there (`max_sequence_length`, `initializer_stddev`); you write `build` and `call`:

- `build(x_shape)`: make one weight with `self.add_weight`, `self.table` (registered under that name too: `name="table"`), of shape (`max_sequence_length`, D), where D is the size of the last axis of `x`; it starts from a normal distribution of mean 0 and standard deviation `self.initializer_stddev`; BERT takes the truncated one, `keras.initializers.TruncatedNormal`, but an ordinary one is right, too.
- `call(x)`: `x` is a float tensor of shape (B, T, D). **Returns** a tensor of the same shape: token t plus row t of the table, the same for every sequence.
- T may be smaller than `max_sequence_length`, and then the first T rows are used; if it is larger, raise `ValueError` rather than silently return something wrong.
"""

# %% exercise="LearnedPositions" blank="build,call"
from bert_keras.layers.positions import LearnedPositions

# %% check="LearnedPositions"
check("LearnedPositions", LearnedPositions)

# %% tags=["experiment"]
if ready("sinusoidal_positions", "LearnedPositions"):
    keras.utils.set_random_seed(0)
    learned = LearnedPositions(128)
    learned(ops.zeros((1, 8, 64)))
    fresh = np.asarray(learned.table, "float64")  # (128, 64), nothing learnt yet
    for name, table in (
        (text("正弦", "sinusoids"), waves),
        (text("可学习的表（未训练）", "learned table, untrained"), fresh),
    ):
        table = table / np.linalg.norm(table, axis=1, keepdims=True)
        near = [np.mean(np.sum(table[k:] * table[: len(table) - k], axis=1)) for k in (1, 5, 20)]
        near = "  ".join(f"{round(n, 2) + 0.0:5.2f}" for n in near)  # + 0.0: no "-0.00"
        say(
            f"相隔 1、5、20 步的两行，平均余弦 {near}   {name}",
            f"mean cosine of rows 1, 5 and 20 apart {near}   {name}",
        )
    try:
        learned(ops.zeros((1, 129, 64)))
        say("129 个词：没有报错！", "129 words: no error!")
    except ValueError:
        say("129 个词：ValueError，好", "129 words: ValueError, as it should be")

# %% [markdown] lang="zh"
r"""
刚建好的表里，第 5 个位置和第 6 个位置毫无关系，哪儿挨着哪儿全得从数据里学；正弦表生来就知道。反过来，学出来的表不受公式约束，数据想要什么样就是什么样。原论文两种都试过，翻译成绩几乎一样（表 3 的 E 行）。两种办法都有个毛病：训练时只见过短句，到了长句就没有把握；表是干脆没有，正弦是没见过那样的组合。
"""

# %% [markdown] lang="en"
r"""
In a fresh table positions 5 and 6 have nothing to do with each other, and who stands next to whom has to be learnt from data; the sinusoids know it from birth. On the other hand a learned table isn't bound to any formula and becomes what the data ask for. The paper tried both, and translations were nearly equally good (row E of its table 3). Both have one weakness: trained on short sentences, they can't be trusted on long ones; the table has no rows there at all, and the sinusoids have combinations never seen before.
"""

# %% [markdown] lang="zh"
r"""
## 3b.3 练习：层归一化

一个词的 $D$ 个特征，经过几层加加减减，有的词数字很大，有的词很小，下一层就很难伺候：大的把 softmax 推进饱和区，小的几乎不起作用。层归一化把**每个词自己的** $D$ 个数调成均值 0、方差 1，再让模型自己学要放大多少（$\gamma$）、挪动多少（$\beta$）。

手算一个词，$D = 4$，$x = (1, 3, 5, 7)$：

| 步骤 | 结果 |
|---|---|
| 均值 $\mu$ | $(1 + 3 + 5 + 7) / 4 = 4$ |
| 减去均值 | $(-3, -1, 1, 3)$ |
| 方差 $\sigma^2$ | $(9 + 1 + 1 + 9) / 4 = 5$ |
| 除以 $\sqrt{5} = 2.236$ | $(-1.342, -0.447, 0.447, 1.342)$ |

只看自己这个词：旁边的词、同一批的别的句子，都不掺进来。（批归一化，batch normalisation，就要掺：它对同一个特征、整批的词求均值，句子长短不一、还有填充的时候很别扭。）

写一层 `LayerNorm`。构造函数已经写好（`epsilon`），你来写 `build` 和 `call`：

- `build(input_shape)`：用 `self.add_weight` 建两个参数，`self.gamma` 和 `self.beta`（登记时也叫这两个名字：`name="gamma"`、`name="beta"`），形状都是 (D,)，D 是最后一轴的大小。开始时 `gamma` 全是 1，`beta` 全是 0。
- `call(x)`：`x` 是浮点张量，形状 (..., D)，前面的轴有几个都行。**返回**同样形状的张量，每个词只看自己的 D 个数：

$$\mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta$$

- $\mu$ 和 $\sigma^2$ 是**最后一轴**上的均值和方差；方差是总体方差：除以 $D$，不是 $D - 1$。
- $\varepsilon$ 就是 `epsilon`，加在方差上，在根号**里面**。
- 用 `ops` 的基本运算写，别调用现成的归一化。
"""

# %% [markdown] lang="en"
r"""
## 3b.3 Exercise: layer normalisation

After a few layers of sums, some words have large numbers for their $D$ features and some have small ones, and the next layer can't suit both: large ones saturate its softmax, small ones hardly count. Layer normalisation brings the $D$ numbers **of each word by itself** to mean 0 and variance 1, and lets the model learn how much to scale ($\gamma$) and to shift ($\beta$) them.

One word by hand, $D = 4$, $x = (1, 3, 5, 7)$:

| Step | Result |
|---|---|
| mean $\mu$ | $(1 + 3 + 5 + 7) / 4 = 4$ |
| subtract it | $(-3, -1, 1, 3)$ |
| variance $\sigma^2$ | $(9 + 1 + 1 + 9) / 4 = 5$ |
| divide by $\sqrt{5} = 2.236$ | $(-1.342, -0.447, 0.447, 1.342)$ |

The word looks at itself only: neither its neighbours nor the other sentences of the batch have a say. (In batch normalisation they do: it takes the mean of one feature over all words of the batch, which is awkward when sentences differ in length and pads stand among them.)

Write the layer `LayerNorm`. The constructor is there (`epsilon`); you write `build` and `call`:

- `build(input_shape)`: make two weights with `self.add_weight`, `self.gamma` and `self.beta` (registered under these names too: `name="gamma"`, `name="beta"`), both of shape (D,), where D is the size of the last axis. At the start `gamma` is all ones and `beta` all zeros.
- `call(x)`: `x` is a float tensor of shape (..., D) with any number of axes in front. **Returns** a tensor of the same shape; every word looks at its own D numbers only:

$$\mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta$$

- $\mu$ and $\sigma^2$ are the mean and variance along the **last axis**; it is the population variance: divide by $D$, not by $D - 1$.
- $\varepsilon$ is `epsilon`, added to the variance, **inside** the root.
- Use the basic operations in `ops`, not a ready-made normalisation.
"""


# %% exercise="LayerNorm"
class LayerNorm(keras.layers.Layer):
    """Bring the features of every token to mean 0 and variance 1, then scale and shift them.

    Args:
        epsilon: float, added to the variance inside the root.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.
    """

    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        """Create gamma, all ones, and beta, all zeros: one number each for every feature."""
        ### BEGIN SOLUTION
        size = (input_shape[-1],)  # (D,)
        self.gamma = self.add_weight(name="gamma", shape=size, initializer="ones")
        self.beta = self.add_weight(name="beta", shape=size, initializer="zeros")
        ### END SOLUTION

    def call(self, x):
        """Normalise every token by its own features.

        Args:
            x: float tensor of shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        ### BEGIN SOLUTION
        mean = ops.mean(x, axis=-1, keepdims=True)  # (..., 1)
        variance = ops.mean(ops.square(x - mean), axis=-1, keepdims=True)  # (..., 1)
        normalised = (x - mean) / ops.sqrt(variance + self.epsilon)  # (..., D)
        return self.gamma * normalised + self.beta
        ### END SOLUTION

    def get_config(self):
        return {**super().get_config(), "epsilon": self.epsilon}


# %% check="LayerNorm"
check("LayerNorm", LayerNorm)

# %% [markdown] lang="zh"
r"""
**看一看。** 先各猜一猜：

1. 手算的那个词，对不对？
2. 把它乘以 2 再加 3，结果变不变？
3. 单独算一个词，和夹在一批大数里算，结果变不变？
4. 四个很小的数，换三种 $\varepsilon$，结果差多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** Guess each of these first:

1. Is the word done by hand right?
2. Times 2 plus 3: does its result move?
3. Does a word come out the same alone and in a batch of large numbers?
4. Four tiny numbers and three different $\varepsilon$: how far apart are the results?
"""

# %% tags=["experiment"]
if ready("LayerNorm"):
    by_hand = tensor([[1, 3, 5, 7]])
    norm = LayerNorm()
    print("1 ", np.round(norm(by_hand), 3))
    print("2 ", np.round(norm(2 * by_hand + 3), 3))
    crowd = ops.concatenate([by_hand, tensor([[900, -4, 77, 0.5]])])
    gap = largest_gap(norm(crowd)[0], norm(by_hand)[0])
    say(f"3  和别的词一起算：变了 {gap:.0e}", f"3  in a crowd it moves by {gap:.0e}")
    tiny = tensor([[0.01, -0.01, 0.01, -0.01]])
    for epsilon, where in ((1e-3, "Keras"), (1e-5, "PyTorch"), (1e-12, "BERT")):
        mine = LayerNorm(epsilon=epsilon)(tiny)
        theirs = keras.layers.LayerNormalization(epsilon=epsilon)(tiny)
        print(f"4  epsilon = {epsilon:.0e}  {np.round(mine, 4)}  {where:8}", end="")
        say(
            f"和 keras.layers.LayerNormalization 差 {largest_gap(mine, theirs):.0e}",
            f"keras.layers.LayerNormalization differs by {largest_gap(mine, theirs):.0e}",
        )

# %% [markdown] lang="zh"
r"""
第 2 行和第 1 行一样：原来的尺度和整体偏移，归一化以后都**忘了**，只留下各数之间的相对高低。第 4 组是个真实的陷阱：数字很小的时候，$\varepsilon$ 说了算。各家的默认值不同（Keras 是 1e-3，PyTorch 是 1e-5，BERT 用 1e-12），照搬别人的参数却用自己的默认值，结果就悄悄地不一样了。

<details><summary>想一想：D = 1 时，层归一化会输出什么？</summary>

一个数减去自己的均值是 0，所以输出总是 beta。D = 2 时也只剩两种可能：(−1, 1) 或 (1, −1)；两个数恰好相等时是 (0, 0)（都还要乘 gamma 加 beta）。特征越多，留下的信息越多：D 个数里去掉两个自由度。
</details>
"""

# %% [markdown] lang="en"
r"""
Line 2 equals line 1: the scale of the numbers and their common shift are **forgotten**; what is left is how they stand to one another. Number 4 is a trap from real life: where numbers are tiny, $\varepsilon$ has the last word. Defaults differ (1e-3 in Keras, 1e-5 in PyTorch, and BERT takes 1e-12); use somebody's weights with your own default and results change silently.

<details><summary>Think: what does layer normalisation give for D = 1?</summary>

A number minus its own mean is 0, so always beta. With D = 2 there are just two possibilities, (−1, 1) and (1, −1), or (0, 0) where the two numbers are equal (all times gamma, plus beta). The more features, the more survives: of D degrees of freedom, two are gone.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3b.4 练习：残差连接，两种次序

支路算出来的东西，不去**替换** $x$，而是**加**到 $x$ 上：支路只需学会要改动什么。这条让 $x$ 原样通过的路叫旁路（也叫跳跃连接），它和支路合在一起叫残差连接，出自图像识别（[He 等 2015](https://arxiv.org/abs/1512.03385)）。

归一化放在哪里，有两种办法。原版 Transformer 和 BERT 放在相加**之后**，叫**后归一化**（post-LN）；GPT-2 以后的大模型大多放在支路的**入口**，叫**前归一化**（pre-LN）。还有第三种常被误写出来的：$x + \mathrm{norm}(\mathrm{branch}(x))$，哪一种都不是。

写 `residual_post_ln(x, branch, norm)`：先把旁路和支路加起来，再归一化。

- `x`：浮点张量，形状 (..., D)。
- `branch`：支路，一个可调用对象，进去一个张量，出来一个同样形状的张量（例如一层注意力）。
- `norm`：归一化，也是这样一个可调用对象（例如 `LayerNorm`）。
- **返回** $\mathrm{norm}(x + \mathrm{branch}(x))$，形状 (..., D)。
"""

# %% [markdown] lang="en"
r"""
## 3b.4 Exercise: the residual connection, in two orders

What a branch computes doesn't **replace** $x$; it is **added** to $x$, so the branch only has to learn what to change. The way on which $x$ passes unchanged is the bypass (or skip connection); bypass and branch together are a residual connection, an idea from image recognition ([He et al. 2015](https://arxiv.org/abs/1512.03385)).

There are two places for the norm. The original Transformer and BERT have it **after** the sum: **post-LN**; most large models since GPT-2 have it at the **entrance** of the branch: **pre-LN**. A third is often written by mistake, $x + \mathrm{norm}(\mathrm{branch}(x))$, and is neither.

Write `residual_post_ln(x, branch, norm)`: add branch and bypass first, then normalise.

- `x`: float tensor of shape (..., D).
- `branch`: a callable that takes one tensor and returns another of the same shape (a layer of attention, say).
- `norm`: a callable of the same kind (a `LayerNorm`, say).
- **Returns** $\mathrm{norm}(x + \mathrm{branch}(x))$, of shape (..., D).
"""


# %% exercise="residual_post_ln"
def residual_post_ln(x, branch, norm):
    """Add what the branch makes of x to x, then normalise the sum.

    Args:
        x: float tensor of shape (..., D).
        branch: callable of one tensor, returns one of the same shape.
        norm: callable of one tensor, returns one of the same shape.

    Returns:
        float tensor of shape (..., D).
    """
    ### BEGIN SOLUTION
    return norm(x + branch(x))
    ### END SOLUTION


# %% check="residual_post_ln"
check("residual_post_ln", residual_post_ln)

# %% [markdown] lang="zh"
r"""
再写 `residual_pre_ln(x, branch, norm)`：参数 `x`、`branch`、`norm` 和上一题一样，次序换一下。

- 归一化的只是**进支路**的那一份；旁路上的 `x` 原样走过去。
- **返回** $x + \mathrm{branch}(\mathrm{norm}(x))$，形状 (..., D)。
"""

# %% [markdown] lang="en"
r"""
Now `residual_pre_ln(x, branch, norm)`: the arguments `x`, `branch` and `norm` are those of the exercise before; the order changes.

- Only what **enters the branch** is normalised; on the bypass `x` passes untouched.
- **Returns** $x + \mathrm{branch}(\mathrm{norm}(x))$, of shape (..., D).
"""


# %% exercise="residual_pre_ln"
def residual_pre_ln(x, branch, norm):
    """Add what the branch makes of the normalised x to x itself.

    Args:
        x: float tensor of shape (..., D).
        branch: callable of one tensor, returns one of the same shape.
        norm: callable of one tensor, returns one of the same shape.

    Returns:
        float tensor of shape (..., D).
    """
    ### BEGIN SOLUTION
    return x + branch(norm(x))
    ### END SOLUTION


# %% check="residual_pre_ln"
check("residual_pre_ln", residual_pre_ln)

# %% [markdown] lang="zh"
r"""
**看一看。** 八个随机的词，过十二层没有训练过的自注意力，四种接法：没有旁路；没有旁路但归一化；后归一化；前归一化。左图是词与词之间的平均余弦：1 表示八个词已经一模一样。右图是数字的大小（均方根）。

**先预测：** 没有旁路，要过几层，八个词就分不出谁是谁了？归一化救得了吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** Eight random words pass through twelve layers of untrained self-attention, wired in four ways: no bypass; no bypass but a norm; post-LN; pre-LN. On the left the mean cosine between words: 1 means that all eight have become the same. On the right the size of the numbers (root mean square).

**Predict first:** without a bypass, how many layers does it take until the eight words can't be told apart? Does the norm save them?
"""

# %% tags=["experiment"]
if ready("residual_post_ln", "residual_pre_ln"):
    keras.utils.set_random_seed(0)
    start = tensor(np.random.default_rng(0).normal(size=(1, 8, 32)))  # (B, T, D)
    attentions = [MultiHeadAttention(num_heads=4, hidden_dim=32) for _ in range(12)]
    plain_norm = keras.layers.LayerNormalization(epsilon=1e-6)

    def alike(x):
        """Mean cosine between different words, and the size of the numbers."""
        rows = np.asarray(x, "float64")[0]
        rows_of_one = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return (np.sum(rows_of_one @ rows_of_one.T) - 8) / 56, np.sqrt(np.mean(rows**2))

    words = chart_words(LANG)
    wirings = {
        words("没有旁路", "no bypass"): lambda x, branch: branch(x),
        words("没有旁路，归一化", "no bypass, norm"): lambda x, branch: plain_norm(branch(x)),
        words("后归一化", "post-LN"): lambda x, branch: residual_post_ln(x, branch, plain_norm),
        words("前归一化", "pre-LN"): lambda x, branch: residual_pre_ln(x, branch, plain_norm),
    }
    with chart(2, width=4) as axes:
        for i, (name, wiring) in enumerate(wirings.items()):
            x, curve = start, [alike(start)]
            for attention in attentions:
                x = wiring(x, lambda seen: attention(seen, seen, seen)[0])
                curve.append(alike(x))
            for axis, numbers in zip(axes, zip(*curve)):
                axis.plot(
                    range(13),
                    numbers,
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    markersize=8 if i == 1 else 4,  # large and hollow: what lies under it shows
                    markerfacecolor="none" if i == 1 else None,
                    label=name,
                )
            cosines = "  ".join(f"{curve[layer][0]:.3f}" for layer in (0, 1, 2, 4, 12))
            say(
                f"第 0、1、2、4、12 层之后的余弦 {cosines}   {name}",
                f"cosine after 0, 1, 2, 4, 12 layers {cosines}   {name}",
            )
        axes[0].set(xlabel=words("层", "layer"), ylabel=words("词间余弦", "cosine between words"))
        axes[1].set(xlabel=words("层", "layer"), ylabel=words("大小", "size"), ylim=(0, 2.9))
        for axis, place in zip(axes, ("lower right", "upper left")):
            axis.legend(frameon=False, fontsize=8, loc=place)

# %% [markdown] lang="zh"
r"""
没有旁路，两三层之后八个词就成了一个词：每一层都把大家平均一次，平均完了再平均。归一化把数字的大小救了回来（右图），可救不回**差别**：归一化只看一个词自己，而八个词已经一样了。这件事有证明：纯注意力叠起来，输出以双指数的速度退化成秩为 1 的矩阵（[Dong 等 2021](https://arxiv.org/abs/2103.03404)）。

有了旁路，变化慢得多，可词和词还是在慢慢靠拢：这里只有注意力，还没有训练，每一层仍旧往每个词上加一份差不多的平均。后归一化到第十二层也已经很像了，前归一化好一些，因为旁路越走越大，同样一份平均占的比重越来越小。

所以旁路不只是“让梯度好传”。拿掉它，**前向**就已经什么都不剩了。

右图也看得出两种归一化的不同：后归一化每层都把大小调回 1；前归一化的旁路没人管，加一次大一点。所以前归一化叠到最后，还要再加一个归一化。

<details><summary>想一想：后归一化里，把 norm(x + branch(x)) 误写成 norm(branch(x) + branch(x))，会怎样？</summary>

层归一化忘掉倍数：两份一样的支路加起来再归一化，和一份没有差别（只差在 ε）。所以这等于没有旁路，就是图里“没有旁路，归一化”那条线，而且不报错，形状也全对。
</details>
"""

# %% [markdown] lang="en"
r"""
Without a bypass two or three layers make all eight words the same: each layer takes a mean over all of them, and then a mean of means. The norm rescues the size of the numbers (on the right) but not the **differences**: it sees one word at a time, and the eight are the same by then. There is a proof: the output of stacked attention alone tends to a matrix of rank 1, doubly exponentially fast ([Dong et al. 2021](https://arxiv.org/abs/2103.03404)).

With a bypass all this is far slower, but the words do drift together: there is nothing here but attention, nothing is trained, and every layer adds much the same mean to every word. By the twelfth layer the words of post-LN are very much alike; pre-LN does better, because its bypass grows and the same mean counts for less and less.

So the bypass isn't just there "to help the gradient". Without it the **forward** pass itself already falls apart.

The right side also shows how the two orders differ: post-LN brings the size back to 1 in every layer; nobody looks after the bypass of pre-LN, and it grows with every sum. That's why a pre-LN stack needs one more norm at its end.

<details><summary>Think: in post-LN somebody writes norm(branch(x) + branch(x)) for norm(x + branch(x)). What happens?</summary>

Layer normalisation forgets factors: the branch twice, normalised, is the branch once, normalised (but for ε). So there is no bypass at all, which is the line "no bypass, norm" in the picture; and no error is raised, and all shapes are right.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3b.5 练习：前馈网络

注意力负责在词与词之间搬东西；搬来以后，每个词要自己加工：先放宽到 $F$ 个特征（通常 $F = 4D$），过一次激活函数，再收回 $D$ 个：

$$\mathrm{FFN}(x) = W_2\,\mathrm{act}(W_1 x + b_1) + b_2$$

```text
x (..., D)
   │ intermediate_dense, 再过激活函数
(..., F)
   │ output_dense
(..., D)
```

没有中间的激活函数，两个矩阵连乘还是一个矩阵，放宽就白放了。原版用 ReLU；BERT 用 GELU：$x$ 乘以“标准正态小于 $x$ 的概率”，负得不多的数还能漏过去一点，而且处处光滑（[Hendrycks 和 Gimpel 2016](https://arxiv.org/abs/1606.08415)）。

写一层 `FeedForward`。构造函数（`intermediate_dim`、`hidden_dim`、`activation`）的开头已经写好：`self.activation` 是激活函数，一个可调用对象。你来补上构造函数里的两个全连接层，再写 `call`：

- `self.intermediate_dense`：`keras.layers.Dense`，F = `intermediate_dim` 个输出；它后面要过激活函数（交给 Dense，或者在 `call` 里调用，都行）。
- `self.output_dense`：`keras.layers.Dense`，D = `hidden_dim` 个输出，后面**没有**激活函数。
- 两层都带偏置，其余用 Keras 的默认值；这一层里没有 dropout，那归外面的块管。`build` 已经写好，它按这两个名字去建参数。
- `call(x)`：`x` 是浮点张量，形状 (..., D)；**返回**同样形状的张量。每个词各算各的，用的是同一组参数。
"""

# %% [markdown] lang="en"
r"""
## 3b.5 Exercise: the feed-forward network

Attention carries things from word to word; what has arrived is worked on by each word for itself: widen to $F$ features (usually $F = 4D$), bend them by an activation function, and narrow to $D$ again:

$$\mathrm{FFN}(x) = W_2\,\mathrm{act}(W_1 x + b_1) + b_2$$

```text
x (..., D)
   │ intermediate_dense, then the activation
(..., F)
   │ output_dense
(..., D)
```

Without the activation in the middle, two matrices in a row are one matrix, and widening would be for nothing. The original took ReLU; BERT takes GELU: $x$ times the probability that a standard normal lies below $x$. It lets slightly negative numbers through a little, and is smooth everywhere ([Hendrycks and Gimpel 2016](https://arxiv.org/abs/1606.08415)).

Write the layer `FeedForward`. The constructor (`intermediate_dim`, `hidden_dim`, `activation`) is begun for you: `self.activation` is the activation function, a callable. You add the two dense layers to the constructor, then write `call`:

- `self.intermediate_dense`: a `keras.layers.Dense` with F = `intermediate_dim` outputs; the activation comes after it (hand it to the Dense or call it in `call`, as you like).
- `self.output_dense`: a `keras.layers.Dense` with D = `hidden_dim` outputs and **no** activation after it.
- Both have a bias; all else is Keras's default. There is no dropout in here: the block around this layer has it. `build` is written already and finds them by these two names.
- `call(x)`: `x` is a float tensor of shape (..., D); **returns** a tensor of the same shape. Every word is computed on its own, all with the same weights.
"""


# %% exercise="FeedForward"
class FeedForward(keras.layers.Layer):
    """Widen every token, bend it, narrow it again; each token on its own.

    Args:
        intermediate_dim: int, the size F in the middle, usually 4 D.
        hidden_dim: int, the size D of the output.
        activation: name or callable, applied in the middle.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.
    """

    def __init__(self, intermediate_dim, hidden_dim, activation="gelu", **kwargs):
        """Make the two dense layers, `intermediate_dense` and `output_dense`."""
        super().__init__(**kwargs)
        self.intermediate_dim = intermediate_dim
        self.hidden_dim = hidden_dim
        self.activation = keras.activations.get(activation)
        ### BEGIN SOLUTION
        self.intermediate_dense = keras.layers.Dense(
            intermediate_dim, activation=self.activation, name="intermediate"
        )
        self.output_dense = keras.layers.Dense(hidden_dim, name="output")
        ### END SOLUTION

    def build(self, input_shape):
        self.intermediate_dense.build(input_shape)
        self.output_dense.build((*input_shape[:-1], self.intermediate_dim))

    def call(self, x):
        """Transform every token.

        Args:
            x: float tensor of shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        ### BEGIN SOLUTION
        return self.output_dense(self.intermediate_dense(x))  # (..., F) -> (..., D)
        ### END SOLUTION

    def get_config(self):
        return {
            **super().get_config(),
            "intermediate_dim": self.intermediate_dim,
            "hidden_dim": self.hidden_dim,
            "activation": keras.activations.serialize(self.activation),
        }


# %% check="FeedForward"
check("FeedForward", FeedForward)

# %% tags=["experiment"]
if ready("FeedForward"):
    keras.utils.set_random_seed(0)
    feed_forward = FeedForward(intermediate_dim=32, hidden_dim=8)
    sentence = np.random.default_rng(1).normal(size=(1, 5, 8))
    before = np.asarray(feed_forward(tensor(sentence)))
    sentence[0, 2] += 1.0  # another word in the middle
    moved = np.abs(np.asarray(feed_forward(tensor(sentence))) - before)[0].max(axis=-1)
    say(
        f"换掉第 3 个词，各个词的输出变了：{np.round(moved, 3)}",
        f"word 3 changed: {np.round(moved, 3)}",
    )

    words = chart_words(LANG)
    inputs = np.linspace(-4, 4, 401)
    curves = {
        "ReLU": keras.activations.relu(tensor(inputs)),
        "GELU": keras.activations.gelu(tensor(inputs)),
    }
    with chart(1, width=4.4) as (axis,):
        for i, (name, values) in enumerate(curves.items()):
            axis.plot(inputs, values, color=COLOURS[i], linestyle=STYLES[i], label=name)
        axis.set(xlim=(-4, 3), ylim=(-0.4, 3), xlabel=words("进去的数", "in"))
        axis.set_ylabel(words("出来的数", "out"))
        axis.legend(frameon=False)
    by_tanh = keras.activations.gelu(tensor(inputs), approximate=True)
    gap = largest_gap(curves["GELU"], by_tanh)
    say(
        f"GELU 有两种算法：用 erf 的是准确值，用 tanh 的是近似，最多差 {gap:.5f}",
        f"GELU is computed exactly with erf or approximately with tanh: {gap:.5f} apart at most",
    )

    D, F, layers = 768, 3072, 12  # BERT-base
    attention_count, wide_count, norm_count = 4 * (D * D + D), 2 * D * F + F + D, 2 * 2 * D
    block_count = attention_count + wide_count + norm_count
    say(
        f"BERT-base 的一个编码器块：注意力 {attention_count:,} 个参数，前馈 {wide_count:,}，"
        f"归一化 {norm_count:,}；12 块共 {layers * block_count:,}，前馈占 {wide_count / block_count:.0%}",
        f"an encoder block of BERT-base: attention {attention_count:,} parameters, feed-forward "
        f"{wide_count:,}, norms {norm_count:,};\n12 blocks have {layers * block_count:,}, and "
        f"{wide_count / block_count:.0%} of them are feed-forward",
    )

# %% [markdown] lang="zh"
r"""
只有被换掉的那个词变了：前馈网络里，词与词互不相干。可一个块的参数有三分之二在这里，而不在大名鼎鼎的注意力里。

<details><summary>想一想：既然每个词各算各的，整个编码器里，词与词的往来发生在哪里？</summary>

只在注意力里。归一化、残差、前馈网络都是一个词一个词算的。所以查“信息有没有漏”，只要查注意力的掩码。
</details>
"""

# %% [markdown] lang="en"
r"""
Only the word that was changed has moved: in the feed-forward network words don't meet. And yet two thirds of a block's parameters are here, and not in the famous attention.

<details><summary>Think: if each word is computed on its own, where in the whole encoder do words meet?</summary>

In attention and nowhere else. Norms, residual connections and feed-forward networks go word by word. So to find a leak you only need to look at the masks of attention.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3b.6 练习：编码器块

零件齐了。再看一眼 3b.1 的那张图：两条支路，自注意力和前馈网络，每条各有一个残差连接、一个归一化。

写 `EncoderBlock` 的 `call`。构造函数（`num_heads`、`hidden_dim`、`intermediate_dim`、`dropout`、`activation`、`norm_first`、`layer_norm_epsilon`）和 `build` 都写好了，里面有这些零件：

| 零件 | 是什么 |
|---|---|
| `self.self_attention` | 3a 的 `MultiHeadAttention`：`(query, key, value, attention_mask=...)` → （输出，权重） |
| `self.feed_forward` | 你的 `FeedForward` |
| `self.self_attention_layer_norm`、`self.feed_forward_layer_norm` | 两个 `LayerNorm`，各管各的支路 |
| `self.self_attention_dropout`、`self.feed_forward_dropout` | 两个 dropout 层：支路的输出先经过它，再加到旁路上 |

- `call(x, attention_mask=None)`：`x` 是浮点张量，形状 (B, T, D)；`attention_mask` 是 `None`，或布尔 (B, T, T) 或 (B, 1, T)，`True` = 可以看，原样交给注意力。
- 先是自注意力的残差连接，再是前馈网络的残差连接；每一处用自己的归一化、自己的 dropout。
- `self.norm_first` 为 `False`（后归一化）：$\mathrm{norm}(x + \mathrm{branch}(x))$；为 `True`（前归一化）：$x + \mathrm{branch}(\mathrm{norm}(x))$。块的末尾都不再另加归一化。
- **返回**一对：输出 (B, T, D) 和每个头的权重 (B, N, T, T)。
- 3b.7 会用你的块训练；训练时批次大小要到运行时才知道，所以别用 NumPy，也别用 `x.shape[0]`。

检查这一题时，`LayerNorm` 和 `FeedForward` 都换成标准实现，前面没做完也能得满分；下面的演示用的是**你自己**写的零件，要等它们也做出来了才运行。
"""

# %% [markdown] lang="en"
r"""
## 3b.6 Exercise: the encoder block

All parts are there. Have another look at the picture in 3b.1: two branches, self-attention and feed-forward, each with a residual connection and a norm.

Write the `call` of `EncoderBlock`. The constructor (`num_heads`, `hidden_dim`, `intermediate_dim`, `dropout`, `activation`, `norm_first`, `layer_norm_epsilon`) and `build` are there, with these parts:

| Part | What it is |
|---|---|
| `self.self_attention` | the `MultiHeadAttention` of 3a: `(query, key, value, attention_mask=...)` → (output, weights) |
| `self.feed_forward` | your `FeedForward` |
| `self.self_attention_layer_norm`, `self.feed_forward_layer_norm` | two `LayerNorm`, one for each branch |
| `self.self_attention_dropout`, `self.feed_forward_dropout` | two dropout layers: the output of a branch goes through its own before it is added to the bypass |

- `call(x, attention_mask=None)`: `x` is a float tensor of shape (B, T, D); `attention_mask` is `None`, or bool (B, T, T) or (B, 1, T), `True` = may look, and goes to the attention as it is.
- First the residual connection of self-attention, then that of the feed-forward network; each with its own norm and its own dropout.
- `self.norm_first` is `False` (post-LN): $\mathrm{norm}(x + \mathrm{branch}(x))$; it is `True` (pre-LN): $x + \mathrm{branch}(\mathrm{norm}(x))$. Either way there is no further norm at the end of the block.
- **Returns** a pair: the output (B, T, D) and the weights of every head (B, N, T, T).
- 3b.7 trains with your block; in training the batch size is known only at run time, so use neither NumPy nor `x.shape[0]`.

The check lends reference versions of `LayerNorm` and `FeedForward`, so you can have all points here with those unfinished; the demonstrations below run on **your own** parts and wait until these work, too.
"""


# %% exercise="EncoderBlock"
class EncoderBlock(keras.layers.Layer):
    """Self-attention and a feed-forward network, each with a residual connection and a norm.

    Args:
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward network.
        dropout: float, the share dropped in training of the attention weights and of the output
            of both branches.
        activation: name or callable, of the feed-forward network.
        norm_first: bool, pre-LN if True, post-LN if False.
        layer_norm_epsilon: float, of both norms.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.
    """

    def __init__(
        self,
        num_heads,
        hidden_dim,
        intermediate_dim,
        dropout=0.1,
        activation="gelu",
        norm_first=False,
        layer_norm_epsilon=1e-6,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.num_heads, self.hidden_dim = num_heads, hidden_dim
        self.intermediate_dim, self.dropout = intermediate_dim, dropout
        self.activation = keras.activations.get(activation)
        self.norm_first, self.layer_norm_epsilon = norm_first, layer_norm_epsilon

        self.self_attention = MultiHeadAttention(num_heads, hidden_dim, dropout=dropout)
        self.self_attention_dropout = keras.layers.Dropout(dropout)
        self.self_attention_layer_norm = LayerNorm(epsilon=layer_norm_epsilon)
        self.feed_forward = FeedForward(intermediate_dim, hidden_dim, activation=activation)
        self.feed_forward_dropout = keras.layers.Dropout(dropout)
        self.feed_forward_layer_norm = LayerNorm(epsilon=layer_norm_epsilon)

    def build(self, x_shape):
        self.self_attention.build(x_shape, x_shape, x_shape)
        self.self_attention_layer_norm.build(x_shape)
        self.feed_forward.build(x_shape)
        self.feed_forward_layer_norm.build(x_shape)

    def call(self, x, attention_mask=None):
        """Let the tokens look at each other, then think on their own.

        Args:
            x: float tensor of shape (B, T, D).
            attention_mask: optional bool tensor of shape (B, T, T) or (B, 1, T); True = may
                attend.

        Returns:
            The pair (output, weights) of shapes (B, T, D) and (B, N, T, T).
        """
        ### BEGIN SOLUTION
        seen = self.self_attention_layer_norm(x) if self.norm_first else x
        attended, weights = self.self_attention(seen, seen, seen, attention_mask=attention_mask)
        x = x + self.self_attention_dropout(attended)  # (B, T, D)
        if not self.norm_first:
            x = self.self_attention_layer_norm(x)

        seen = self.feed_forward_layer_norm(x) if self.norm_first else x
        x = x + self.feed_forward_dropout(self.feed_forward(seen))  # (B, T, D)
        if not self.norm_first:
            x = self.feed_forward_layer_norm(x)
        return x, weights
        ### END SOLUTION

    def get_config(self):
        sizes = {"num_heads": self.num_heads, "hidden_dim": self.hidden_dim}
        sizes |= {"intermediate_dim": self.intermediate_dim, "dropout": self.dropout}
        sizes |= {"activation": keras.activations.serialize(self.activation)}
        sizes |= {"norm_first": self.norm_first, "layer_norm_epsilon": self.layer_norm_epsilon}
        return {**super().get_config(), **sizes}


# %% check="EncoderBlock"
check("EncoderBlock", EncoderBlock)

# %% [markdown] lang="zh"
r"""
**用一用。** 两个测试，以后写任何块都用得上。第一个：让两条支路都输出 0（把最后一个矩阵和偏置清零），块应当变成什么？前归一化是恒等，丝毫不差；后归一化是层归一化。第二个：把你的块的参数搬进课程库的 `EncoderBlock`，两边的结果应当一样。
"""

# %% [markdown] lang="en"
r"""
**Use it.** Two tests that serve for any block you will ever write. The first: let both branches return 0 (set their last matrix and bias to zero); what should become of the block? In pre-LN the identity, to the last digit; in post-LN a layer normalisation. The second: carry the weights of your block over to the library's `EncoderBlock`; the results should agree.
"""


# %% tags=["experiment"]
def copy_matrices(block, other):
    """Give another block the matrices and biases of this one; norms are fresh in both."""
    for name in ("self_attention", "cross_attention"):
        if hasattr(block, name):
            getattr(other, name).set_weights(getattr(block, name).get_weights())
    for name in ("intermediate_dense", "output_dense"):
        dense = getattr(block.feed_forward, name)
        getattr(other.feed_forward, name).set_weights(dense.get_weights())


if ready("LayerNorm", "FeedForward", "EncoderBlock"):
    keras.utils.set_random_seed(0)
    tokens = tensor(3 + 2 * np.random.default_rng(2).normal(size=(2, 5, 24)))
    padding = ops.convert_to_tensor(np.arange(5) < np.array([[5], [3]]))[:, None]  # (B, 1, T)
    for pre in (False, True):
        name = {False: text("后归一化", "post-LN"), True: text("前归一化", "pre-LN ")}[pre]
        mine = EncoderBlock(4, 24, 48, norm_first=pre)
        theirs = library.EncoderBlock(4, 24, 48, norm_first=pre, layer_norm_epsilon=1e-6)
        my_output, my_weights = mine(tokens, attention_mask=padding)
        theirs.build(tokens.shape)
        copy_matrices(mine, theirs)
        their_output, _ = theirs(tokens, attention_mask=padding)
        gap = largest_gap(my_output, their_output)
        for dense in (mine.self_attention.output_dense, mine.feed_forward.output_dense):
            dense.set_weights([np.zeros_like(part) for part in dense.get_weights()])
        silent, _ = mine(tokens, attention_mask=padding)
        expected = tokens if pre else keras.layers.LayerNormalization(epsilon=1e-6)(tokens)
        what = "x" if pre else "norm(x)"
        say(
            f"{name}  和课程库差 {gap:.0e}；支路为 0 时和 {what} 差 {largest_gap(silent, expected):.0e}",
            f"{name}  library: {gap:.0e} apart; branches silent: "
            f"{largest_gap(silent, expected):.0e} from {what}",
        )
    say(f"权重的形状 {tuple(my_weights.shape)}", f"weights have shape {tuple(my_weights.shape)}")

# %% [markdown] lang="zh"
r"""
## 3b.7 实验：词序是怎样进来的

四叠编码器块，都没有训练过。把一句话前面的词打乱（最后一个词不动），看输出是不是只跟着换了位置：

- 没有位置，谁都可以看；
- 加上正弦位置；
- 没有位置，但是有因果掩码（每个词只看自己和前面的词），一块；
- 同上，两块。

**先预测：** 哪几行是 0？最后一列单看**最后那个词**的输出，又有哪几行是 0？（提示：最后一个词看得到所有的词。）
"""

# %% [markdown] lang="en"
r"""
## 3b.7 Experiment: how order gets in

Four stacks of encoder blocks, untrained. Shuffle all words of a sentence but the last, and see whether outputs merely change places:

- no positions, everyone may look at everyone;
- with sinusoidal positions;
- no positions, but a causal mask (each word sees itself and earlier words), one block;
- the same, two blocks.

**Predict first:** which lines are 0? And in the last column, which looks at the output of the **last word** alone, which lines are 0 there? (Hint: the last word sees all of them.)
"""

# %% tags=["experiment"]
if ready("sinusoidal_positions", "LayerNorm", "FeedForward", "EncoderBlock"):
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(3)
    in_order = rng.normal(size=(1, 8, 24))
    shuffle = np.append(rng.permutation(7), 7)  # the last word stays where it is
    pair = [EncoderBlock(4, 24, 48), EncoderBlock(4, 24, 48)]
    where = np.asarray(sinusoidal_positions(8, 24))
    say(
        "                        除了换位置还变了多少      最后一个词变了多少",
        "                   change besides reordering    change at the last word",
    )
    for name, blocks, waves_added, order_mask in (
        (text("无位置，两块            ", "no positions, two blocks   "), pair, 0.0, None),
        (text("正弦位置，两块          ", "sinusoids, two blocks      "), pair, where, None),
        (text("因果掩码，无位置，一块  ", "causal, no pos., one block "), pair[:1], 0.0, "causal"),
        (text("因果掩码，无位置，两块  ", "causal, no pos., two blocks"), pair, 0.0, "causal"),
    ):
        order_mask = causal_mask(8)[None] if order_mask else None  # (1, T, T)
        outputs = []
        for words_in in (in_order, in_order[:, shuffle]):
            h = tensor(words_in + waves_added)
            for each in blocks:
                h, _ = each(h, attention_mask=order_mask)
            outputs.append(np.asarray(h)[0])
        straight, crooked = outputs
        moved = largest_gap(straight[shuffle], crooked)
        print(f"{name} {moved:16.0e} {largest_gap(straight[-1], crooked[-1]):26.0e}")

# %% [markdown] lang="zh"
r"""
- 没有位置、谁都可以看：只差舍入误差。叠多少块都**不认识词序**。
- 因果掩码，没有位置：变了！掩码本身就泄露了次序：第一个词只看得到自己，第五个词看得到五个。
- 但只有**一块**的时候，最后一个词的输出还是不变：它把前面的词当作一个集合去平均，次序进不来。要到第二块才行，因为前面的词这时已经各自带着“我前面有谁”。

所以“编码器没有位置就分不清次序”是对的，“有因果掩码就不需要位置”只对了一半。这只是**能不能**的问题；真去训练，又会怎样？任务：10 个各不相同的符号里有一个 A、一个 B，问 A 是不是在 B 前面。读出的办法是把所有词的输出平均。瞎猜是 50%。

三个模型依次训练，一共一分钟左右（机器忙的时候更久）；训练完一个才打印一行，没动静的时候请等一等。
"""

# %% [markdown] lang="en"
r"""
- No positions, everyone may look at everyone: rounding errors only. No number of blocks makes it **know order**.
- Causal mask, no positions: it moves! The mask itself gives the order away: the first word sees itself only, the fifth sees five.
- With **one** block, though, the last word's output stays: it averages the words before it as a set, and their order doesn't get in. That takes a second block, where each of the earlier words brings along "who came before me".

So "an encoder without positions can't tell order" is right, and "with a causal mask you need no positions" is half right. That is what is **possible**; what does training make of it? A task: ten different symbols with one A and one B among them; does A come before B? The answer is read from the mean over all outputs. Guessing blindly gives 50 %.

Three models train one after the other, about a minute in all (longer on a busy machine). A line appears only when its model is done, so give it time.
"""

# %% tags=["experiment"]
ORDER_LENGTH, ORDER_SYMBOLS = 10, 20


def order_rows(rng, count):
    """Rows of different symbols, among them 0 (A) and 1 (B), and whether A comes first."""
    ids = rng.permuted(np.tile(np.arange(2, ORDER_SYMBOLS), (count, 1)), axis=1)[:, :ORDER_LENGTH]
    places = rng.permuted(np.tile(np.arange(ORDER_LENGTH), (count, 1)), axis=1)[:, :2]
    ids[np.arange(count), places[:, 0]] = 0
    ids[np.arange(count), places[:, 1]] = 1
    return ids.astype("int32"), (places[:, 0] < places[:, 1]).astype("int32")


class OrderModel(keras.Model):
    """Two of your encoder blocks; the answer is read from the mean over all tokens."""

    def __init__(self, positions, causal, hidden_dim=32):
        super().__init__()
        start = keras.initializers.RandomNormal(stddev=1.0)  # as large as the waves
        self.table = keras.layers.Embedding(ORDER_SYMBOLS, hidden_dim, embeddings_initializer=start)
        self.waves = sinusoidal_positions(ORDER_LENGTH, hidden_dim) if positions else 0.0
        self.mask = causal_mask(ORDER_LENGTH)[None] if causal else None
        self.blocks = [EncoderBlock(4, hidden_dim, 64, dropout=0.0) for _ in range(2)]
        self.answer = keras.layers.Dense(2)

    def call(self, token_ids):
        x = self.table(token_ids) + self.waves  # (B, T, D)
        for block in self.blocks:
            x, _ = block(x, attention_mask=self.mask)
        return self.answer(ops.mean(x, axis=1))  # (B, 2)


if ready("sinusoidal_positions", "LayerNorm", "FeedForward", "EncoderBlock"):
    rng = np.random.default_rng(0)
    order_train, order_test = order_rows(rng, 3000), order_rows(rng, 2000)
    for name, positions, causal in (
        (text("无位置            ", "no positions         "), False, False),
        (text("正弦位置          ", "sinusoids            "), True, False),
        (text("因果掩码，无位置  ", "causal, no positions "), False, True),
    ):
        keras.utils.set_random_seed(0)
        model = OrderModel(positions, causal)
        model.compile(
            optimizer=keras.optimizers.Adam(2e-3),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
        history = model.fit(*order_train, batch_size=64, epochs=6, verbose=0)
        accuracy = model.evaluate(*order_test, batch_size=500, verbose=0)[1]
        by_epoch = " ".join(f"{a:.2f}" for a in history.history["accuracy"])
        say(
            f"{name}测试 {accuracy:.3f}   训练时逐轮 {by_epoch}",
            f"{name}test {accuracy:.3f}   training by epoch {by_epoch}",
        )

# %% [markdown] lang="zh"
r"""
“无位置”的一行注定在 50% 上下：打乱一句话，它的输出只换位置，平均以后一模一样，答案却反了，没有哪一组参数能两头都对。训练时的准确率要是慢慢爬过 50%，那是在**死记**训练集里的那几千行；测试的数据没见过，照旧是瞎猜。其余两行确实看得到次序，能学到多少，比一比它们的测试准确率。

一个种子，几百步，说明不了多少。下面是预先存好的结果，种子更多，训练更久；还加了一组：既有因果掩码，又有位置。
"""

# %% [markdown] lang="en"
r"""
The line "no positions" is bound to stay around 50 %: shuffle a row, and its outputs change places and have the same mean, while the right answer is reversed; no weights can get both right. If its accuracy in training creeps above 50 % all the same, it is learning those few thousand rows **by heart**; on the test's rows, never seen before, it still guesses. The other two can see order; their test accuracies show how much of it they have learnt.

One seed and a few hundred steps don't say much. Here are stored results of more seeds, trained for longer, with a fourth stack that has both a causal mask and positions.
"""

# %% tags=["experiment"]
result = stored("order_without_positions")
if result:
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        say(f"  {part} {'成立' if held else '不成立'}", f"  {part} {'holds' if held else 'fails'}")
    words = chart_words(LANG)
    stack_words = {
        "none": words("无位置", "no positions"),
        "sinusoids": words("正弦位置", "sinusoids"),
        "causal": words("因果掩码\n无位置", "causal,\nno positions"),
        "causal_sinusoids": words("因果掩码\n正弦位置", "causal,\nsinusoids"),
    }
    with chart(1, width=6) as (axis,):
        for i, name in enumerate(stack_words):
            values = result["figures"][name]["values"]
            spread = i + 0.12 * (np.arange(len(values)) - (len(values) - 1) / 2)
            style = {"color": COLOURS[i], "marker": MARKERS[i], "markerfacecolor": "none"}
            axis.plot(spread, values, linestyle="", **style)
        axis.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
        axis.set_xticks(range(len(stack_words)), stack_words.values())
        axis.set(ylim=(0.4, 1.02), ylabel=words("准确率", "accuracy"))
    for name, label in stack_words.items():
        figure = result["figures"][name]
        print(
            label.replace("\n", " "),
            f"{figure['mean']:.3f} ± {figure['sd']:.3f}",
            [round(value, 3) for value in figure["values"]],
        )

# %% [markdown] lang="zh"
r"""
## 3b.8 实验：归一化放在哪里，梯度怎么传

笔记里常这样写：“后归一化叠深了，梯度传不到下面的块，所以要用前归一化。”先不背，量一量。十二个**你的**编码器块，没有训练过，上面接一个全连接层去猜随机的标签；算一次损失，对每一块的全部参数求梯度，量它的长度（平方和的平方根，也叫范数）。前归一化的那一叠，最后多一个归一化。

**先预测：** 横轴是第几块（1 最靠近输入，12 最靠近损失）。后归一化的曲线会从右往左掉下去吗？前归一化的呢？
"""

# %% [markdown] lang="en"
r"""
## 3b.8 Experiment: where the norm stands, and how gradients travel

A sentence found in many lecture notes: "in a deep post-LN stack gradients don't reach the lower blocks, so use pre-LN." Let's not learn it by heart but measure. Twelve of **your** encoder blocks, untrained, with a dense layer on top that guesses random labels; compute the loss once, differentiate it by all weights of each block, and measure how long this gradient is (the root of the sum of its squares). The pre-LN stack has one more layer norm at its end.

**Predict first:** across runs the number of the block (1 is next to the input, 12 next to the loss). Does the post-LN curve fall from right to left? And pre-LN?
"""

# %% tags=["experiment"]
if ready("LayerNorm", "FeedForward", "EncoderBlock"):
    DEPTH = 12

    def gradients_by_block(norm_first):
        """How long the gradient is in every block, and the size of what leaves it."""
        keras.utils.set_random_seed(0)
        rng = np.random.default_rng(0)
        x = tensor(rng.normal(size=(8, 16, 32)))
        labels = ops.convert_to_tensor(rng.integers(0, 50, (8, 16)))
        blocks = [
            EncoderBlock(4, 32, 128, dropout=0.0, norm_first=norm_first) for _ in range(DEPTH)
        ]
        last_norm, answer = LayerNorm(), keras.layers.Dense(50)
        for layer in (*blocks, last_norm, answer):
            layer.build(x.shape)

        def objective():
            h = x
            for block in blocks:
                h, _ = block(h)
            logits = answer(last_norm(h) if norm_first else h)
            loss = keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
            return ops.mean(loss)

        variables = [variable for block in blocks for variable in block.trainable_variables]
        _, gradients = value_and_gradients(objective, variables)
        squares = [float(ops.sum(ops.square(gradient))) for gradient in gradients]
        per_block = np.reshape(squares, (DEPTH, -1)).sum(axis=1)
        h, sizes = x, []
        for block in blocks:
            h, _ = block(h)
            sizes.append(float(ops.sqrt(ops.mean(ops.square(h)))))
        return np.sqrt(per_block), sizes

    words = chart_words(LANG)
    order_words = {False: words("后归一化", "post-LN"), True: words("前归一化", "pre-LN")}
    with chart(2, width=4) as axes:
        for i, (pre, name) in enumerate(order_words.items()):
            lengths, sizes = gradients_by_block(norm_first=pre)
            for axis, numbers in zip(axes, (lengths, sizes)):
                axis.plot(
                    range(1, DEPTH + 1),
                    numbers,
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    label=name,
                )
            shown = "  ".join(f"{lengths[n]:.2f}" for n in (0, 3, 7, 11))
            say(
                f"{name}：第 1、4、8、12 块的梯度 {shown}；大小从 {sizes[0]:.2f} 到 {sizes[-1]:.2f}",
                f"{name}: gradient in blocks 1, 4, 8, 12  {shown};  size {sizes[0]:.2f} to "
                f"{sizes[-1]:.2f}",
            )
        axes[0].set(xlabel=words("第几块", "block"), ylim=(0, None))
        axes[0].set_ylabel(words("梯度的长度", "length of the gradient"))
        axes[1].set(xlabel=words("第几块", "block"), ylim=(0, None))
        axes[1].set_ylabel(words("输出的大小", "size of the output"))
        axes[0].legend(frameon=False)

# %% [markdown] lang="zh"
r"""
意外吗？刚初始化的时候，后归一化的梯度**没有**消失：靠近输入的块分到的一点也不少。倾斜的反而是前归一化，而且是朝另一边：越靠近损失的块，梯度越小：起点只低一点，到最后一块只剩三分之一左右。道理在右图里：前归一化的旁路越走越大（大约随 $\sqrt{\text{块数}}$），支路加上去的那一份相对越来越小，最后那个归一化又要除以这个大小；后归一化处处是 1，末尾几块的梯度不随深度变小（这里还变大了）。

[Xiong 等 2020](https://arxiv.org/abs/2002.04745) 说的正是这个：后归一化的毛病不是梯度太小，而是靠近输出的梯度**不随深度变小**，一开始就用大的学习率会冲过头，所以要先慢慢预热（3c）。[Liu 等 2020](https://arxiv.org/abs/2004.08249) 从另一边看：把所有参数轻轻晃一下，后归一化的输出变得比前归一化厉害，而且越深越厉害。

这两条在不同的深度、不同的种子上都量过，存好了：左图是最靠近损失的一块的梯度，随深度怎样变；右图是所有矩阵都加上 1% 的噪声，输出变了自身大小的百分之几。
"""

# %% [markdown] lang="en"
r"""
Surprised? At initialisation the gradient of post-LN has **not** vanished: the blocks near the input get no less than the others. It is pre-LN that tilts, and the other way: the nearer to the loss, the smaller; it starts a little lower and has fallen to about a third at the last block. The reason is on the right: its bypass grows (roughly as $\sqrt{\text{number of blocks}}$), what a branch adds counts for less and less, and the last norm divides by that size; with post-LN the size is 1 everywhere, and the gradient of the last blocks doesn't shrink with depth (here it even grows).

That is what [Xiong et al. 2020](https://arxiv.org/abs/2002.04745) say: the trouble with post-LN isn't that gradients are too small, but that those near the output **don't get smaller with depth**; a large learning rate at the very start overshoots, and so one has to warm up (3c). [Liu et al. 2020](https://arxiv.org/abs/2004.08249) look at it from the other side: shake all weights a little, and the output of post-LN moves more than that of pre-LN, the more so the deeper.

Both were measured at several depths with several seeds and stored: on the left the gradient of the block next to the loss by depth; on the right how far the output moves, as a share of its own size, when 1 % of noise is added to every matrix.
"""

# %% tags=["experiment"]
result = stored("gradients_by_depth")
if result:
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        say(f"  {part} {'成立' if held else '不成立'}", f"  {part} {'holds' if held else 'fails'}")
    words = chart_words(LANG)
    order_words = {"post": words("后归一化", "post-LN"), "pre": words("前归一化", "pre-LN")}
    with chart(2, width=4) as axes:
        for i, (order, name) in enumerate(order_words.items()):
            by_depth = result["figures"][order]
            depths = [int(depth) for depth in by_depth]
            for axis, what in zip(axes, ("last_block", "shaken")):
                figures = [by_depth[depth][what] for depth in by_depth]
                axis.errorbar(
                    depths,
                    [figure["mean"] for figure in figures],
                    yerr=[figure["sd"] for figure in figures],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    capsize=3,
                    label=name,
                )
        for axis in axes:
            axis.set(xlabel=words("块数", "blocks"), ylim=(0, None))
            axis.set_xticks(depths)
        axes[0].set_ylabel(words("最后一块的梯度", "gradient of the last block"))
        axes[1].set_ylabel(words("输出的变化 / 输出的大小", "change of output / its size"))
        axes[0].legend(frameon=False)
    for order, name in order_words.items():
        for depth, found in result["figures"][order].items():
            first, last, shaken = (found[n] for n in ("first_block", "last_block", "shaken"))
            say(
                f"{name} {depth:>2} 块：第一块的梯度 {first['mean']:.2f} ± {first['sd']:.2f}，"
                f"最后一块 {last['mean']:.2f} ± {last['sd']:.2f}，"
                f"晃动 {shaken['mean']:.3f} ± {shaken['sd']:.3f}",
                f"{name}, {depth:>2} blocks: gradient of the first {first['mean']:.2f} ± "
                f"{first['sd']:.2f}, of the last {last['mean']:.2f} ± {last['sd']:.2f}, "
                f"shaken {shaken['mean']:.3f} ± {shaken['sd']:.3f}",
            )

# %% [markdown] lang="zh"
r"""
**量出来的。** 三条都成立，还多出两样。后归一化最后一块的梯度不只是“保持”：从 2 块到 24 块，它大了一半（0.60 → 0.89）。再看 24 块时后归一化的第一块，2.38 ± 2.96：五个种子里四个在 1 上下，一个是 7.7。后归一化的梯度不会消失，可偶尔会爆炸。

**记住什么。** 这些都是**刚初始化**时的事，只说明头几步有多险，不说明谁最后学得更好。BERT 是后归一化，十二层、二十四层都训练成了，靠的是预热；叠到几十上百层的模型，多半用前归一化，图个省心。换一种初始化，曲线也会变：这里用的是 Keras 的默认值。
"""

# %% [markdown] lang="en"
r"""
**What came out.** All three parts hold, and there is more. The gradient of post-LN's last block didn't just keep up: from 2 blocks to 24 it grew by half (0.60 → 0.89). And look at post-LN's first block of 24, 2.38 ± 2.96: four of the five seeds lie near 1 and one at 7.7. With post-LN gradients don't vanish, but now and then they explode.

**What to keep.** All this is about the state **at initialisation**: it says how risky the first steps are, not who learns better in the end. BERT is post-LN, and with warm-up both its twelve and its twenty-four layers train; models of many dozens of layers mostly choose pre-LN and sleep better. Another initialisation would change the curves, too: these have Keras's default.
"""

# %% [markdown] lang="zh"
r"""
## 3b.9 练习：解码器块

编码器把源句读完，得到 $S$ 个向量；解码器写译文，写到第 $t$ 个词时，要依次做三件事：回顾自己已经写了什么（**自注意力**，加因果掩码），查看源句说了什么（**交叉注意力**，cross-attention），再自己想一想（前馈网络）。于是支路有三条：
"""

# %% [markdown] lang="en"
r"""
## 3b.9 Exercise: the decoder block

The encoder has read the source and holds $S$ vectors; the decoder writes the target, and at word $t$ it consults three things: what it has written so far (**self-attention**, under a causal mask), what the source says (**cross-attention**), and then itself (the feed-forward network). So there are three branches:
"""

# %% tags=["experiment"]
display(block_flow("decoder", LANG))

# %% [markdown] lang="zh"
r"""
写 `DecoderBlock` 的 `call`。构造函数的参数和 `EncoderBlock` 一样（`num_heads`、`hidden_dim`、`intermediate_dim`、`dropout`、`activation`、`norm_first`、`layer_norm_epsilon`），零件多一组：`self.cross_attention`、`self.cross_attention_dropout`、`self.cross_attention_layer_norm`。

- `call(x, source, attention_mask=None, source_mask=None)`：
  - `x`：浮点 (B, T, D)，译文到目前为止的向量；
  - `source`：浮点 (B, S, D)，编码器的输出；S 不必等于 T；
  - `attention_mask`：`None`，或布尔 (B, T, T) 或 (B, 1, T)，译文的词之间谁可以看谁，交给自注意力；
  - `source_mask`：`None`，或布尔 (B, T, S) 或 (B, 1, S)，源句的哪些词可以看，交给交叉注意力。
- 依次三个残差连接：自注意力、交叉注意力、前馈网络；每一处用自己的归一化、自己的 dropout。次序由 `self.norm_first` 决定，和 `EncoderBlock` 一样。
- 交叉注意力的查询来自译文，键和值都是 `source`。`source` 原样使用：前归一化时，块也只归一化译文这一路，不动 `source`。
- **返回**三样：输出 (B, T, D)，自注意力的权重 (B, N, T, T)，交叉注意力的权重 (B, N, T, S)。

和 3b.6 一样：检查时零件用标准实现，演示用你自己的。
"""

# %% [markdown] lang="en"
r"""
Write the `call` of `DecoderBlock`. The constructor takes what `EncoderBlock` takes (`num_heads`, `hidden_dim`, `intermediate_dim`, `dropout`, `activation`, `norm_first`, `layer_norm_epsilon`), and there is one more set of parts: `self.cross_attention`, `self.cross_attention_dropout`, `self.cross_attention_layer_norm`.

- `call(x, source, attention_mask=None, source_mask=None)`:
  - `x`: float (B, T, D), the target so far;
  - `source`: float (B, S, D), the encoder's output; S need not equal T;
  - `attention_mask`: `None`, or bool (B, T, T) or (B, 1, T), who may look at whom in the target; for self-attention;
  - `source_mask`: `None`, or bool (B, T, S) or (B, 1, S), which words of the source may be looked at; for cross-attention.
- Three residual connections in a row: self-attention, cross-attention, feed-forward network; each with its own norm and its own dropout. `self.norm_first` decides on the order, as in `EncoderBlock`.
- In cross-attention the queries come from the target, keys and values are `source`. It is used as it comes: in pre-LN, too, the block normalises the target's stream only and leaves `source` alone.
- **Returns** three things: the output (B, T, D), the weights of self-attention (B, N, T, T) and those of cross-attention (B, N, T, S).

As in 3b.6, the check lends reference parts, and the demonstration uses your own.
"""


# %% exercise="DecoderBlock"
class DecoderBlock(keras.layers.Layer):
    """Self-attention, attention to another sequence and a feed-forward network.

    Each of the three has a residual connection and a norm.

    Args:
        num_heads: int, the number of attention heads N, of both attentions.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward network.
        dropout: float, the share dropped in training of the attention weights and of the output
            of all branches.
        activation: name or callable, of the feed-forward network.
        norm_first: bool, pre-LN if True, post-LN if False.
        layer_norm_epsilon: float, of all norms.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.
    """

    def __init__(
        self,
        num_heads,
        hidden_dim,
        intermediate_dim,
        dropout=0.1,
        activation="gelu",
        norm_first=False,
        layer_norm_epsilon=1e-6,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.num_heads, self.hidden_dim = num_heads, hidden_dim
        self.intermediate_dim, self.dropout = intermediate_dim, dropout
        self.activation = keras.activations.get(activation)
        self.norm_first, self.layer_norm_epsilon = norm_first, layer_norm_epsilon

        self.self_attention = MultiHeadAttention(num_heads, hidden_dim, dropout=dropout)
        self.self_attention_dropout = keras.layers.Dropout(dropout)
        self.self_attention_layer_norm = LayerNorm(epsilon=layer_norm_epsilon)
        self.cross_attention = MultiHeadAttention(num_heads, hidden_dim, dropout=dropout)
        self.cross_attention_dropout = keras.layers.Dropout(dropout)
        self.cross_attention_layer_norm = LayerNorm(epsilon=layer_norm_epsilon)
        self.feed_forward = FeedForward(intermediate_dim, hidden_dim, activation=activation)
        self.feed_forward_dropout = keras.layers.Dropout(dropout)
        self.feed_forward_layer_norm = LayerNorm(epsilon=layer_norm_epsilon)

    def build(self, x_shape, source_shape):
        self.self_attention.build(x_shape, x_shape, x_shape)
        self.self_attention_layer_norm.build(x_shape)
        self.cross_attention.build(x_shape, source_shape, source_shape)
        self.cross_attention_layer_norm.build(x_shape)
        self.feed_forward.build(x_shape)
        self.feed_forward_layer_norm.build(x_shape)

    def call(self, x, source, attention_mask=None, source_mask=None):
        """Let the target's tokens look at each other, then at the source, then think.

        Args:
            x: float tensor of shape (B, T, D), the target.
            source: float tensor of shape (B, S, D), the encoder's output.
            attention_mask: optional bool tensor of shape (B, T, T) or (B, 1, T): which tokens of
                the target a token may attend to.
            source_mask: optional bool tensor of shape (B, T, S) or (B, 1, S): which tokens of the
                source.

        Returns:
            The triple (output, self_weights, cross_weights) of shapes (B, T, D), (B, N, T, T)
            and (B, N, T, S).
        """
        ### BEGIN SOLUTION
        seen = self.self_attention_layer_norm(x) if self.norm_first else x
        attended, self_weights = self.self_attention(
            seen, seen, seen, attention_mask=attention_mask
        )
        x = x + self.self_attention_dropout(attended)  # (B, T, D)
        if not self.norm_first:
            x = self.self_attention_layer_norm(x)

        seen = self.cross_attention_layer_norm(x) if self.norm_first else x
        attended, cross_weights = self.cross_attention(
            seen, source, source, attention_mask=source_mask
        )
        x = x + self.cross_attention_dropout(attended)  # (B, T, D)
        if not self.norm_first:
            x = self.cross_attention_layer_norm(x)

        seen = self.feed_forward_layer_norm(x) if self.norm_first else x
        x = x + self.feed_forward_dropout(self.feed_forward(seen))  # (B, T, D)
        if not self.norm_first:
            x = self.feed_forward_layer_norm(x)
        return x, self_weights, cross_weights
        ### END SOLUTION

    def get_config(self):
        sizes = {"num_heads": self.num_heads, "hidden_dim": self.hidden_dim}
        sizes |= {"intermediate_dim": self.intermediate_dim, "dropout": self.dropout}
        sizes |= {"activation": keras.activations.serialize(self.activation)}
        sizes |= {"norm_first": self.norm_first, "layer_norm_epsilon": self.layer_norm_epsilon}
        return {**super().get_config(), **sizes}


# %% check="DecoderBlock"
check("DecoderBlock", DecoderBlock)

# %% [markdown] lang="zh"
r"""
**看一看。** 谁影响谁？把译文或源句里的词一个一个地换掉，量每个位置的输出变了多少（占最大变化的百分之几）。上图换的是译文的词，下图换的是源句的词；行都是译文的输出，列是被换掉的词，打叉的格子分毫未变。源句最后两个是填充，译文用因果掩码。

**先预测：** 哪些格子会打叉？
"""

# %% [markdown] lang="en"
r"""
**See it.** Who influences whom? Replace the words of target and source one by one and measure how far the output at each place moves (percent of the largest move). In the first picture a word of the target is replaced, in the second one of the source; rows are always the target's outputs, columns the word that was replaced, and crossed cells didn't move at all. The source ends in two pads, and the target has a causal mask. (The target is Chinese: 猫 is "cat", 睡 着 "fall asleep", and 了 says that it has happened.)

**Predict first:** which cells are crossed out?
"""

# %% tags=["experiment"]
if ready("LayerNorm", "FeedForward", "DecoderBlock"):
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(4)
    target_words = ["[BOS]", "猫", "睡", "着", "了"]
    source_words = ["the", "cat", "fell", "asleep", "[PAD]", "[PAD]"]
    target_side, source_side = rng.normal(size=(1, 5, 24)), rng.normal(size=(1, 6, 24))
    no_pads = ops.convert_to_tensor([[[word != "[PAD]" for word in source_words]]])
    decoder_block = DecoderBlock(4, 24, 48)

    def written(target, source):
        output, *weights = decoder_block(
            tensor(target), tensor(source), causal_mask(5)[None], no_pads
        )
        return np.asarray(output)[0], weights  # (T, D), ...

    plain, both_weights = written(target_side, source_side)
    moves = []
    for side in (target_side, source_side):
        for place in range(side.shape[1]):
            changed = side.copy()
            changed[0, place] = rng.normal(size=24)
            pair = (changed, source_side) if side is target_side else (target_side, changed)
            moves.append(np.abs(written(*pair)[0] - plain).max(axis=-1))
    moves = np.transpose(moves)  # (T, T + S)
    shares, moved = moves / moves.max(), moves > 1e-6
    for columns, replaced, title in (
        (slice(0, 5), target_words, text("译文", "target")),
        (slice(5, 11), source_words, text("源句", "source")),
    ):
        shown = attention_map(
            target_words,
            shares[:, columns],
            replaced,
            [title],
            mask=moved[:, columns],
            crossed="= 0",
        )
        display(shown)
    print(text("权重的形状", "shapes of the weights"), *(tuple(w.shape) for w in both_weights))

    for pre in (False, True):
        name = {False: text("后归一化", "post-LN"), True: text("前归一化", "pre-LN ")}[pre]
        mine = DecoderBlock(4, 24, 48, norm_first=pre)
        theirs = LibraryDecoderBlock(4, 24, 48, activation="gelu", norm_first=pre)
        for layer in (mine, theirs):
            layer.build((1, 5, 24), (1, 6, 24))
        copy_matrices(mine, theirs)
        arguments = tensor(target_side), tensor(source_side), causal_mask(5)[None], no_pads
        gap = largest_gap(mine(*arguments)[0], theirs(*arguments)[0])
        say(f"{name}  和课程库差 {gap:.0e}", f"{name}  the library is {gap:.0e} apart")

# %% [markdown] lang="zh"
r"""
上图（译文）打叉的是右上的三角：后面的词影响不了前面的输出。下图（源句）除了两列填充，一格都没有打叉：交叉注意力**不加**因果掩码，写第一个词时就可以看整句原文。两张图，正好是两个掩码各管什么；要是接反了，图上一眼就能看出来。
"""

# %% [markdown] lang="en"
r"""
In the first (the target) the upper right triangle is crossed out: later words don't reach earlier outputs. In the second (the source) no cell is crossed out except in the two pad columns: cross-attention has **no** causal mask, and the very first word may look at the whole source. Two pictures, two masks, and what each is for; had you swapped them, you would see it at once.
"""

# %% [markdown] lang="zh"
r"""
## 3b.10 找错练习

这一次，先做实验，再看代码。实验用的东西都在下面一格：一个建好的块、两句话、两个掩码，还有两个小工具，`change` 换掉一个词，`silence` 让一条支路的输出全是 0。
"""

# %% [markdown] lang="en"
r"""
## 3b.10 Debugging drill

This time, experiment first, read the code afterwards. The next cell has all you need for that: a block, built; two sentences and two masks; and two small tools, `change`, which replaces a word, and `silence`, which makes a branch return 0.
"""

# %% tags=["experiment"]
# The block is the library's: block(x, source, *masks) is healthy, and `patient` can use its parts.
# Run this cell again to start afresh.
T, S = 5, 5
keras.utils.set_random_seed(0)
rng = np.random.default_rng(8)
block = LibraryDecoderBlock(4, 24, 48, activation="gelu")
block.build((1, T, 24), (1, S, 24))
x, source = tensor(rng.normal(size=(1, T, 24))), tensor(rng.normal(size=(1, S, 24)))
masks = causal_mask(T)[None], ops.convert_to_tensor(np.arange(S) < S - 1)[None, None]  # one pad


def change(words, place):
    """The same words but for one, which becomes another."""
    changed = np.array(words)
    changed[0, place] *= -1
    return tensor(changed)


def silence(branch):
    """Make a branch of the block return 0 from now on."""
    last = branch.output_dense
    last.set_weights([np.zeros_like(part) for part in last.get_weights()])


# %% [markdown] lang="zh"
r"""
下面的 `patient` 是一个后归一化的解码器块，写成了函数：`patient(x, source, block, attention_mask=None, source_mask=None)`。`block` 提供零件：`self_attention`、`cross_attention`、`feed_forward` 和三个 `..._layer_norm`，名字和 `DecoderBlock` 里的一样（没有 dropout）。它返回 `(output, self_weights, cross_weights)`，约定和 `DecoderBlock` 一样，但有**一处**毛病。不同班级拿到的毛病可能不同。

1. 运行上面一格和 `patient` 那一格，另起一格，看 `patient(x, source, block, *masks)[0]`。每次都先说输出**该不该**变：
   - 换掉 `source` 的一个词，`change(source, 0)`；换掉它最后的填充；换掉译文后面的词，看前面的输出。
   - 让 T 和 S 不相等：在上面那格里改。
   - 给归一化换一个 beta，三个各试一次：`block.self_attention_layer_norm.beta.assign(np.linspace(-1, 1, 24))`。
   - `silence(block.cross_attention)`，让这条支路的输出全是 0；再换掉译文的一个词，看**它自己**的输出。
   - 重新运行上面那格，`silence(block.self_attention)`，再把 `x` 放大十倍（层归一化会忘掉尺度）。
2. 在下面的名单里选一个名字，写成字符串：`suspect = "..."`。名字不在名单里，检查会告诉你。
3. 写出修好的 `repaired(x, source, block, attention_mask=None, source_mask=None)`。只用它的参数：上面那格的 `masks` 只供做实验。（检查时的 `block` 只有零件，不能当作一整块来调用。）

| 名字 | 毛病 |
|---|---|
| `wrong_norm` | 某条支路用了别的支路的归一化 |
| `skip_from_the_source` | 某条旁路走的是源句，不是译文 |
| `masks_exchanged` | 两个掩码用反了 |
| `keys_from_the_decoder` | 交叉注意力的键和值来自译文 |
| `branch_added_to_itself` | 支路的输出加在它自己身上 |
| `norm_on_the_branch` | 归一化只做在支路的输出上，不是做在和上 |

`x`、`source`、`attention_mask`、`source_mask` 的形状同 3b.9。指出毛病 1 分，修好 5 分。
"""

# %% [markdown] lang="en"
r"""
`patient` below is a post-LN decoder block written as a function: `patient(x, source, block, attention_mask=None, source_mask=None)`. `block` brings the parts: `self_attention`, `cross_attention`, `feed_forward` and three `..._layer_norm`, under the names they have in `DecoderBlock` (there is no dropout). It returns `(output, self_weights, cross_weights)` by the conventions of `DecoderBlock`, and it has **one** fault. Other classes may get other faults.

1. Run the cell above and the one with `patient`, and look at `patient(x, source, block, *masks)[0]` in a cell of your own. Say each time, beforehand, whether the output **should** move:
   - Replace a word of `source`, `change(source, 0)`; replace the pad at its end; replace later words of the target and look at earlier outputs.
   - Let T and S differ: change them in the cell above.
   - Give a norm another beta, each of the three in turn: `block.self_attention_layer_norm.beta.assign(np.linspace(-1, 1, 24))`.
   - `silence(block.cross_attention)` makes this branch return 0; now replace a word of the target and look at **its own** output.
   - Run the cell above again, `silence(block.self_attention)`, and make `x` ten times as large (layer normalisation forgets the scale).
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired(x, source, block, attention_mask=None, source_mask=None)`. Use its arguments only: `masks` in the cell above is for your experiments. (In the check `block` has parts only; it can't be called as a whole.)

| Name | Fault |
|---|---|
| `wrong_norm` | some branch uses the norm of another |
| `skip_from_the_source` | some bypass carries the source, not the target |
| `masks_exchanged` | the two masks have changed places |
| `keys_from_the_decoder` | keys and values of cross-attention come from the target |
| `branch_added_to_itself` | the output of a branch is added to itself |
| `norm_on_the_branch` | the norm is put on the output of a branch, not on the sum |

`x`, `source`, `attention_mask` and `source_mask` have the shapes of 3b.9. Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch03b_blocks"
from drill import patient, suspect, repaired

# %% check="drill_ch03b_blocks"
check("drill_ch03b_blocks", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 3b.11 同样的东西，在 KerasHub 里

| 这里 | KerasHub（以前叫 KerasNLP） | 留意 |
|---|---|---|
| `sinusoidal_positions` | `keras_hub.layers.SinePositionEncoding` | 返回的只是位置，要自己加上去 |
| `LearnedPositions` | `keras_hub.layers.PositionEmbedding` | 也只返回位置；参数叫 `sequence_length` |
| `EncoderBlock` | `keras_hub.layers.TransformerEncoder` | `normalize_first`；激活函数默认是 ReLU，ε 默认 1e-5 |
| `DecoderBlock` | `keras_hub.layers.TransformerDecoder` | 自己加因果掩码；源句不给也行，那就没有交叉注意力 |

层归一化在 Keras 里就是 `keras.layers.LayerNormalization`，ε 默认 1e-3。把你的参数搬过去，结果应当一样（没装 KerasHub 也没关系，会跳过）：
"""

# %% [markdown] lang="en"
r"""
## 3b.11 The same thing in KerasHub

| Here | KerasHub (once KerasNLP) | Watch out |
|---|---|---|
| `sinusoidal_positions` | `keras_hub.layers.SinePositionEncoding` | returns the positions alone; adding them is up to you |
| `LearnedPositions` | `keras_hub.layers.PositionEmbedding` | the positions alone, too; the argument is `sequence_length` |
| `EncoderBlock` | `keras_hub.layers.TransformerEncoder` | `normalize_first`; the activation is ReLU by default, ε 1e-5 |
| `DecoderBlock` | `keras_hub.layers.TransformerDecoder` | adds the causal mask by itself; without a source there is no cross-attention |

Layer normalisation is `keras.layers.LayerNormalization` in Keras itself, with an ε of 1e-3. Carry your weights over and the results should agree (without KerasHub this is skipped):
"""

# %% tags=["experiment"]
try:
    import keras_hub
except ImportError:
    keras_hub = None
    say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")


def compare(name, mine, theirs):
    gap = largest_gap(mine, theirs)
    difference = text(f"最多差 {gap:.0e}", f"differs by {gap:.0e} at most")
    print(f"{name:42} {difference}  {'OK' if gap < 1e-4 else '!!'}")


def carry_over(parts, layer):
    """Give a KerasHub layer the weights of these parts, in its own order and shapes."""
    ours = [weight for part in parts for weight in part.get_weights()]
    for weight, copy in zip(ours, layer.trainable_variables):
        copy.assign(np.reshape(weight, copy.shape))


if keras_hub is not None and ready("sinusoidal_positions"):
    sines = keras_hub.layers.SinePositionEncoding()(ops.zeros((1, 40, 24)))[0]
    compare("keras_hub.layers.SinePositionEncoding", sinusoidal_positions(40, 24), sines)

if keras_hub is not None and ready("LayerNorm", "FeedForward", "EncoderBlock", "DecoderBlock"):
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(5)
    target, looked_at = tensor(rng.normal(size=(2, 5, 24))), tensor(rng.normal(size=(2, 7, 24)))
    real_target = ops.convert_to_tensor(np.arange(5) < np.array([[5], [3]]))
    real_source = ops.convert_to_tensor(np.arange(7) < np.array([[7], [4]]))
    same = {"activation": "gelu", "layer_norm_epsilon": 1e-6}
    fresh_norm = keras.layers.LayerNormalization()  # gamma and beta as in a new block
    fresh_norm.build(target.shape)
    for first in (False, True):
        mine = EncoderBlock(4, 24, 48, norm_first=first)
        hub = keras_hub.layers.TransformerEncoder(48, 4, normalize_first=first, **same)
        my_output, _ = mine(target, attention_mask=real_target[:, None])
        hub.build(target.shape)
        dense = [mine.feed_forward.intermediate_dense, mine.feed_forward.output_dense]
        carry_over([mine.self_attention, fresh_norm, fresh_norm, *dense], hub)
        name = f"TransformerEncoder, normalize_first={first}"
        compare(name, my_output, hub(target, padding_mask=real_target))

        mine = DecoderBlock(4, 24, 48, norm_first=first)
        hub = keras_hub.layers.TransformerDecoder(48, 4, normalize_first=first, **same)
        my_output, _, _ = mine(target, looked_at, causal_mask(5)[None], real_source[:, None])
        hub.build(target.shape, looked_at.shape)
        dense = [mine.feed_forward.intermediate_dense, mine.feed_forward.output_dense]
        attentions = [mine.self_attention, fresh_norm, mine.cross_attention, fresh_norm]
        carry_over([*attentions, *dense, fresh_norm], hub)
        name = f"TransformerDecoder, normalize_first={first}"
        compare(name, my_output, hub(target, looked_at, encoder_padding_mask=real_source))

# %% [markdown] lang="zh"
r"""
## 3b.12 常见误解

先逐句判断，再看数字。

1. 正弦位置编码的公式里，$i$ 从 0 数到 $D - 1$，也就是列号。
2. 层归一化让激活值独立同分布。
3. 解码器的自注意力和编码器的一模一样。
4. 有了因果掩码，位置就多余了。
5. 后归一化叠深了，刚初始化梯度就传不到下面。
"""

# %% [markdown] lang="en"
r"""
## 3b.12 Myth box

Judge each sentence first, then look at the numbers.

1. In the formula of the sinusoids $i$ runs from 0 to $D - 1$: it is the number of the column.
2. Layer normalisation makes activations independent and identically distributed.
3. Self-attention in a decoder is just like the encoder's.
4. With a causal mask, positions are superfluous.
5. In a deep post-LN stack, gradients don't reach the bottom at initialisation.
"""

# %% tags=["experiment"]
# 1: the column's own number in the exponent, against one number for both columns of a pair
column = np.arange(64)
position = np.arange(100)[:, None]
for name, i in (
    (text("i 是第几对", "i: the pair  "), column // 2),
    (text("i 是列号  ", "i: the column"), column),
):
    angle = position / 10000 ** (2 * i / 64)
    table = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    pairs = table[1, 0::2] ** 2 + table[1, 1::2] ** 2
    five_apart = np.sum(table[:-5] * table[5:], axis=1) / 32
    say(
        f"1 {name}：一对的平方和 {pairs.min():.3f} 到 {pairs.max():.3f}；"
        f"相隔 5 步的相似度 {five_apart.min():.3f} 到 {five_apart.max():.3f}",
        f"1 {name}: squares of a pair add up to {pairs.min():.3f} ... {pairs.max():.3f};  "
        f"similarity 5 apart {five_apart.min():.3f} ... {five_apart.max():.3f}",
    )

# 2: sixteen features made of four causes; then sixteen independent ones
if ready("LayerNorm"):
    rng = np.random.default_rng(6)
    for name, features in (
        (
            text("相关的特征", "related features    "),
            rng.normal(size=(4000, 4)) @ rng.normal(size=(4, 16)),
        ),
        (text("独立的特征", "independent features"), rng.normal(size=(4000, 16))),
    ):
        normalised = np.asarray(LayerNorm()(tensor(features)), "float64")
        off = ~np.eye(16, dtype=bool)
        before, after = (np.corrcoef(part.T)[off] for part in (features, normalised))
        say(
            f"2 {name}：特征间相关系数绝对值的平均 {np.abs(before).mean():.3f} → "
            f"{np.abs(after).mean():.3f}，平均 {before.mean():+.3f} → {after.mean():+.3f}",
            f"2 {name}: mean |correlation| {np.abs(before).mean():.3f} → "
            f"{np.abs(after).mean():.3f}, mean {before.mean():+.3f} → {after.mean():+.3f}",
        )

# 3 and 4
if ready("sinusoidal_positions", "LayerNorm", "FeedForward", "EncoderBlock"):
    keras.utils.set_random_seed(0)
    blocks = [EncoderBlock(4, 24, 48) for _ in range(4)]
    rng = np.random.default_rng(7)

    def stack(x, mask):
        h = tensor(x)
        for block in blocks:
            h, _ = block(h, attention_mask=mask)
        return np.asarray(h)[0]  # (T, D)

    sentence = rng.normal(size=(1, 6, 24))
    other_end = sentence.copy()
    other_end[0, -1] = rng.normal(size=24)
    for name, mask in (
        (text("谁都可以看", "no mask    "), None),
        (text("因果掩码  ", "causal mask"), causal_mask(6)[None]),
    ):
        gap = largest_gap(stack(sentence, mask)[0], stack(other_end, mask)[0])
        say(
            f"3 {name}：换掉最后一个词，第一个词的输出变了 {gap:.0e}",
            f"3 {name}: with another last word, the first word's output moves by {gap:.0e}",
        )
    laughing = np.repeat(rng.normal(size=(1, 1, 24)), 6, axis=1)  # ha ha ha ha ha ha
    for name, x in (
        (text("无位置", "no positions"), laughing),
        (text("正弦位置", "sinusoids"), laughing + np.asarray(sinusoidal_positions(6, 24))),
    ):
        output = stack(x, causal_mask(6)[None])
        gap = largest_gap(output[1:], output[:-1])
        say(
            f"4 {name}，因果掩码，同一个词说六遍：相邻两处的输出差 {gap:.0e}",
            f"4 {name}, causal mask, one word six times: neighbouring outputs differ by {gap:.0e}",
        )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** $i$ 数的是**对**，只到 $D/2 - 1$；一对里的正弦和余弦必须出自同一根指针，角度相同。用了列号，一对就不再是一根指针（平方和不是 1），相似度也不再只跟距离有关（相隔 5 步，在不同的地方量出不同的数）。这个错误在网上的实现里见过好几次，训练照样能跑，所以没人发现。
2. **错。** 它只保证每个词的 D 个数均值 0、方差 1。原来相关的特征照旧相关；原来独立的，反倒有了一点负相关：D 个数的和必须是 0，一个大了，别的就得小，平均是 $-1/(D-1)$。
3. **半对。** 层是同一种层，掩码不同：编码器里第一个词看得到最后一个词，解码器里看不到，一点都看不到。
4. **半对。** 3b.7 里看到，两块以上的因果堆叠确实能知道先后；[Haviv 等 2022](https://arxiv.org/abs/2203.16634) 发现，没有位置的因果语言模型训练出来也不差。可它知道的是“前面有过谁”：同一个词说六遍，不管叠多少块，六处的输出都一样，数不出是第几遍。何况编码器根本没有因果掩码。
5. **错**（说的是刚初始化，3b.8）。后归一化里，靠近输入的块分到的梯度并不比靠近损失的少；前归一化靠近损失的几块反而更小。后归一化难训练的原因在别处：一开始梯度不随深度变小，步子要小，要预热。（训练久了以后的事，这里没有量。）
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** $i$ counts **pairs** and ends at $D/2 - 1$; sine and cosine of a pair must come from one hand, at one angle. With the column's number a pair is no longer a hand (the squares don't add up to 1), and similarity no longer depends on distance alone (five apart gives different numbers in different places). Several implementations on the web had this bug; they train all the same, so nobody noticed.
2. **Wrong.** All it promises is mean 0 and variance 1 over the D numbers of each word. Related features stay related; independent ones even become slightly dependent: D numbers have to add up to 0, so when one is large the others are smaller, on average by a correlation of $-1/(D-1)$.
3. **Half true.** The layer is the same and the mask isn't: in the encoder the first word sees the last, in the decoder it doesn't, not to the last digit.
4. **Half true.** As 3b.7 showed, a causal stack of two blocks or more can know who came first, and [Haviv et al. 2022](https://arxiv.org/abs/2203.16634) found that causal language models without positions train rather well. But what it knows is "who has been before me": say one word six times, and however many blocks there are, all six outputs are the same; it can't count. And an encoder has no causal mask at all.
5. **Wrong** (of the state at initialisation, 3b.8). With post-LN the blocks near the input get no less gradient than those near the loss; it is pre-LN where blocks near the loss get less. Post-LN is hard to train for another reason: gradients don't get smaller with depth, so the first steps have to be small, and one warms up. (What happens later in training wasn't measured here.)
"""

# %% [markdown] lang="zh" exercise="written_ch03b_blocks"
r"""
## 3b.13 简答题

同事用六个编码器块做影评的情感分类，最后把所有词的输出平均，再接一个分类器。交付以后他才发现，代码里**忘了加位置**。补上以后重新训练，准确率还是 88%，一点没变。他得出结论：“位置编码没有用，以后都不加了。”

用 150 字左右回答：这个结果说明了什么，没有说明什么？举出本章里你**自己跑出来的**两个数字来支持你的说法；再给他设计一个小实验：换什么数据，比较哪两个模型，什么样的结果会让你同意他。

这道题由老师评阅，不计入 39 分。好的回答把“这个任务用不着次序”和“模型认得次序”分开，有两个数字、一个实验和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch03b_blocks"
r"""
## 3b.13 Written question

A colleague classifies film reviews by sentiment: six encoder blocks, the mean over all outputs, a classifier. After delivery he notices that he **forgot the positions**. He adds them, trains again, and accuracy is 88 % as before, not a bit better. "Positions are useless," he concludes, "I'll leave them out from now on."

Answer in about 100 words: what does this result show, and what does it not show? Support it by two numbers from this notebook that **you ran yourself**; then design a small experiment for him: which data, which two models, and which result would make you agree with him.

Your teacher reads this one; it is not part of the 39 points. A good answer tells "this task doesn't need order" from "this model knows order", and has two numbers, one experiment and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 说清结果只关于这份数据：情感多半看有哪些词，不看次序；没有位置、没有因果掩码的编码器加平均，对词序**不可能**有反应（引用 3b.1 或 3b.7 的 0，或“无位置”一行的 50% 左右）。
2. 引用两个自己跑出来的数字，各说明什么（例如 3b.7：无位置约 50%，有位置明显更高）。
3. 实验的数据里次序决定答案（打乱词序标签就变，如“A 先于 B”、否定词的位置、谁对谁做了什么），比较有无位置的同一模型，多个种子，事先定好差多少才算有用。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Says that the result is about these data: sentiment mostly depends on which words there are, not on their order; an encoder without positions and causal mask, followed by a mean, **cannot** react to order (quotes the 0 of 3b.1 or 3b.7, or the 50 % or so of "no positions").
2. Quotes two numbers run by the student and what each of them shows (in 3b.7, say: about 50 % without positions, clearly more with them).
3. The experiment's data make order decide (shuffling changes the label: "A before B", the place of a negation, who did what to whom); it compares one model with and without positions, over several seeds, and fixes beforehand which difference would count.
"""

# %% [markdown] lang="zh"
r"""
## 3b.14 小结：半页带走

**两个公式。**

$$\mathrm{PE}(t, 2i) = \sin\left(\frac{t}{10000^{2i/D}}\right), \qquad \mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta$$

**两种块。**

| | 编码器块 | 解码器块 |
|---|---|---|
| 支路 | 自注意力、前馈网络 | 自注意力、交叉注意力、前馈网络 |
| 自注意力的掩码 | 填充 | 因果（加填充） |
| 交叉注意力 | 没有 | 查询来自译文，键和值来自源句；掩码是源句的填充 |
| 进出的形状 | (B, T, D) → (B, T, D) | 同左，另外读 (B, S, D) |

**四句话。**

1. 没有位置的编码器不认识词序；因果掩码只说得出“前面有谁”，数不出“第几个”。
2. 后归一化 $\mathrm{norm}(x + \mathrm{branch}(x))$，每条支路一个归一化；前归一化 $x + \mathrm{branch}(\mathrm{norm}(x))$，整叠的末尾再加一个。
3. 没有旁路，注意力叠两三层，所有的词就一样了。
4. 测一个块：支路为 0 时该是恒等（前归一化）或归一化（后归一化）；有因果掩码时改后面的词，前面不动；改填充，谁都不动。
"""

# %% [markdown] lang="en"
r"""
## 3b.14 Half a page to take with you

**Two formulas.**

$$\mathrm{PE}(t, 2i) = \sin\left(\frac{t}{10000^{2i/D}}\right), \qquad \mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta$$

**Two blocks.**

| | Encoder block | Decoder block |
|---|---|---|
| branches | self-attention, feed-forward | self-attention, cross-attention, feed-forward |
| mask of self-attention | padding | causal (and padding) |
| cross-attention | none | queries from the target, keys and values from the source; its mask is the source's padding |
| shapes in and out | (B, T, D) → (B, T, D) | the same, and it reads (B, S, D) |

**Four sentences.**

1. An encoder without positions doesn't know order; a causal mask can say "who has been before me", but it can't count.
2. Post-LN is $\mathrm{norm}(x + \mathrm{branch}(x))$ with a norm for every branch; pre-LN is $x + \mathrm{branch}(\mathrm{norm}(x))$ with one more at the end of the stack.
3. Without a bypass, two or three layers of attention make all words the same.
4. To test a block: with silent branches it is the identity (pre-LN) or a norm (post-LN); under a causal mask, change later words and earlier ones stay; change pads and nobody moves.
"""

# %% [markdown] lang="zh"
r"""
## 3b.15 接下来

- **3c** 把 N 个编码器块和 N 个解码器块装成完整的 Transformer，用标签平滑和预热训练它，再用束搜索让它说话。
- **4b** 只留下解码器的一半（去掉交叉注意力），就是 GPT。
- **5c** 把你的编码器块叠十二层，装上真的预训练参数，就是 BERT。

想读原文：[Attention Is All You Need](https://arxiv.org/abs/1706.03762) 的 3.1、3.3、3.5 节，[Layer Normalization](https://arxiv.org/abs/1607.06450)。再打开 `bert_keras/layers/transformer.py` 和 `bert_keras/layers/decoder.py`，和你的块对照着读。
"""

# %% [markdown] lang="en"
r"""
## 3b.15 Where next

- **3c** makes a whole Transformer of N encoder and N decoder blocks, trains it with label smoothing and warm-up, and lets it speak by beam search.
- **4b** keeps half of it, the decoder without cross-attention: that is GPT.
- **5c** stacks twelve of your encoder blocks and loads real pretrained weights: that is BERT.

For the sources: sections 3.1, 3.3 and 3.5 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), and [Layer Normalization](https://arxiv.org/abs/1607.06450). Then open `bert_keras/layers/transformer.py` and `bert_keras/layers/decoder.py` and read them side by side with your blocks.
"""
