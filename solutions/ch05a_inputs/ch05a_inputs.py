# %% [markdown] lang="zh"
r"""
# 5a 从去噪自编码器到 BERT 的输入

GPT 从左往右一个词元一个词元地猜，因为只有这样，要猜的东西才不会明摆在眼前。BERT 想让每个词元同时看到左右两边，就得换一道训练的题目：**先把输入弄坏一点，再让模型补回来**。这个主意比 BERT 早十年，叫去噪自编码器（denoising autoencoder）。

这一章先用小图片把它看明白：照抄学不到东西，补洞才学得到。然后做出 BERT 要补的那份输入：文字怎样切成词元，两段文字怎样拼成一行，三张嵌入表怎样相加。最后数一数，BERT 那一亿多个参数都在哪里。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `autoencoder_forward` | 3 | 8 | 核心 | 隐藏层过 tanh，输出层什么也不过 | 随机张量；现画的小图片 |
| `dae_loss` | 4 | 12 | 核心 | 跟干净的输入比；只算坏掉的位置时，除以它们的数目 | 手算的三个位置 |
| `denoise_corrupt` | 5 | 15 | 核心 | 一段一段地清零；留下的不放大 | 随机数组；小图片 |
| `basic_tokenize` | 5 | 20 | 核心 | 汉字、标点各自成词；先分解，再去掉附加符号 | 手写的句子 |
| `wordpiece_tokenize` | 6 | 20 | 核心 | 从左往右，每次取最长的；有一处盖不住，整个词算未知 | 手写的小词表；新闻 |
| `pack_pair` | 6 | 18 | 核心 | 先裁文字，再加特殊词元；裁长的那一段 | 整数列表 |
| `BertEmbeddings` | 5 | 15 | 核心 | 三张表相加，再归一化，再 dropout；不乘 $\sqrt{D}$ | 随机的表 |
| `count_parameters` | 4 | 12 | 核心 | 连池化层在内，任务的头不算 | 各种尺寸 |
| `drill_ch05a_inputs` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch05a_inputs` | 0 | 12 | 核心 | 老师评阅，不计入 44 分 | 本章的图和数字 |

核心练习 44 分。只做练习大约两个半小时，连同实验三个多小时；5a.6 之后是个合适的停顿处：前一半是图片，后一半是文字。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 5a From denoising autoencoders to BERT's input

GPT guesses one token after another from left to right, because otherwise the answer would be in plain sight. BERT wants every token to see both sides at once, and that takes another question to train on: **damage the input a little, and let the model mend it**. The idea is ten years older than BERT and goes by the name of denoising autoencoder.

In this notebook you first see it at work on small pictures: copying teaches nothing, filling holes does. Then you make the input that BERT will have to mend: how text is cut into tokens, how two texts become one row, how three tables of embeddings add up. Finally you count where BERT's hundred million parameters are.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `autoencoder_forward` | 3 | 8 | core | tanh on the hidden layer, nothing on the output | random tensors; small pictures drawn on the spot |
| `dae_loss` | 4 | 12 | core | compared with the clean input; if damaged places alone count, divide by their number | three positions by hand |
| `denoise_corrupt` | 5 | 15 | core | whole spans are set to zero; what stays is not scaled up | random arrays; small pictures |
| `basic_tokenize` | 5 | 20 | core | Chinese characters and punctuation are words of their own; decompose, then drop accents | sentences by hand |
| `wordpiece_tokenize` | 6 | 20 | core | from the left, the longest each time; one part uncovered makes the whole word unknown | small vocabularies by hand; news |
| `pack_pair` | 6 | 18 | core | cut the texts, then add special tokens; the longer text is cut | lists of ints |
| `BertEmbeddings` | 5 | 15 | core | add three tables, then norm, then dropout; no $\sqrt{D}$ | random tables |
| `count_parameters` | 4 | 12 | core | with the pooler, without task heads | all sizes |
| `drill_ch05a_inputs` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch05a_inputs` | 0 | 12 | core | read by your teacher, not part of the 44 points | the pictures and numbers of this notebook |

44 core points. The exercises take about two and a half hours, with the experiments a little over three; after 5a.6 is a good place to pause: the first half is pictures, the second is text.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import unicodedata
from collections import Counter

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops
from matplotlib.patches import Rectangle

from autograder import check, language, ready, stored
from bert_keras.analysis.input_strips import embedding_sum, packed_strips
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.analysis.shapes import NAMES, draw_shapes
from bert_keras.models.presets import preset
from bert_keras.text.vocabulary import SPECIAL_TOKENS, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import is_chinese, is_punctuation, split_at_specials

LANG = language()
np.set_printoptions(suppress=True)


def either(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(either(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 5a.1 缺了一块，你补得上吗

“今天下了一上午的 ▢，出门别忘了带 ▢。”两个空你都填得上。凭什么？凭你知道哪些词常在一起。谁要是填得好，他就懂一点语言；要训练一个模型懂语言，就可以让它做填空。题目要多少有多少，不用人标注：随便哪句话，盖住几个词就是一道。

文字放到后半章，先看图片：图片里的洞，一眼就看得见。下面十张小图，每张 9 行，每行 9 个数；中间三行（画斜纹的）被挖掉了。**先猜**：每张原来是什么？哪几张你有把握，哪几张谁也猜不出来？
"""

# %% [markdown] lang="en"
r"""
## 5a.1 Something is missing: can you fill it in?

"It has been pouring with ▢ all morning, so don't forget your ▢." You can fill both gaps. How? You know which words go together. Whoever fills gaps well knows something of the language; so to make a model learn a language, let it fill gaps. There is no end of exercises, and nobody has to label anything: take any sentence and cover some words.

Text has to wait for the second half; pictures come first, for there you can see a hole. Here are ten small ones of 9 rows, each with 9 numbers; the three rows in the middle (the hatched ones) were taken out. **Guess**: what was each of them? Of which are you sure, and which can nobody guess?
"""

# %% tags=["experiment"]
SIDE = 9


def some_pictures(count, seed):
    """Pictures (B, 9, 9), `count` of every shape: T = 9 rows of D = 9 numbers; and labels."""
    rng = np.random.default_rng(seed)
    images, labels = draw_shapes(list(NAMES), count, rng, noise=0.1, size=SIDE)
    return images[..., 0], labels


def show_pictures(rows, holes=None):
    """Rows of pictures, one below the other, from a dict of names and arrays (n, 9, 9).

    `holes` says under the same names which rows of a picture are hatched: bool (n, 9).
    """
    side, columns = SIDE + 2, len(next(iter(rows.values())))
    board = np.full((side * len(rows), side * columns), np.nan)
    for i, images in enumerate(rows.values()):
        for j, image in enumerate(images):
            top, left = side * i + 1, side * j + 1
            board[top : top + SIDE, left : left + SIDE] = image
    with chart(1, width=0.75 * columns + 1.6, height=0.75 * len(rows) + 0.1) as (axis,):
        axis.imshow(board, cmap="Greys", vmin=-0.3, vmax=1.3)
        for i, name in enumerate(rows):  # an empty row looks like background unless it is marked
            for j, t in np.argwhere((holes or {}).get(name, [])):
                corner = (side * j + 0.5, side * i + t + 0.5)
                axis.add_patch(Rectangle(corner, SIDE, 1, fill=False, hatch="////", linewidth=0))
        axis.grid(False)
        axis.spines[:].set_visible(False)
        axis.set_xticks([])
        axis.set_yticks(side * np.arange(len(rows)) + side / 2, list(rows))
        axis.tick_params(length=0)


train_pictures, train_labels = some_pictures(400, seed=1)
test_pictures, test_labels = some_pictures(50, seed=2)
one_of_each = [int(np.flatnonzero(test_labels == c)[0]) for c in range(len(NAMES))]
riddles = test_pictures[one_of_each].copy()
riddles[:, 3:6] = 0
in_hole = np.zeros((len(riddles), SIDE), bool)
in_hole[:, 3:6] = True
on_chart = chart_words(LANG)
puzzle = on_chart("猜猜看", "riddles")
show_pictures({puzzle: riddles}, {puzzle: in_hole})

# %% [markdown] lang="zh"
r"""
猜好了再运行下一格，揭晓。
"""

# %% [markdown] lang="en"
r"""
Once you have guessed, run the next cell for the answers.
"""

# %% tags=["experiment"]
answers = {on_chart("原来的", "they were"): test_pictures[one_of_each]}
show_pictures({puzzle: riddles} | answers, {puzzle: in_hole})
hidden_share = np.square(test_pictures[:, 3:6]).sum() / np.square(test_pictures).sum()
say(
    f"{len(train_pictures)} 张用来训练，{len(test_pictures)} 张用来测试；洞占三分之一的地方，"
    f"藏起了 {hidden_share:.0%} 的笔画（按平方算）",
    f"{len(train_pictures)} pictures to train on, {len(test_pictures)} to test; the hole is a "
    f"third of the area and hides {hidden_share:.0%} of the strokes (by their squares)",
)

# %% [markdown] lang="zh"
r"""
斜线断了，顺着两头就能接上；方框少了两段边，补上就是。你靠的是“笔画会接着走”“图形就那么几种”，这些都是关于图片的**知识**。有的线索太少，几种图形都说得通，就只好猜一个最像的。能不能让一个网络自己学到这些？

## 5a.2 练习：自编码器

自编码器（autoencoder）是最老实的一种网络：读进什么，就要它吐出什么。中间隔着一个**隐藏层**（hidden layer），所有东西都得从那里过：

$$h = \tanh(x W + b), \qquad \hat{x} = h W' + b'$$

```text
x (B, D) ── W (D, H), b (H,), tanh ──▶ h (B, H) ── W' (H, D), b' (D,) ──▶ 重建 (B, D)
```

写 `autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `x` | (B, D) | 浮点 |
| `encoder_kernel`、`encoder_bias` | (D, H)、(H,) | $W$ 和 $b$ |
| `decoder_kernel`、`decoder_bias` | (H, D)、(D,) | $W'$ 和 $b'$；$W'$ 另有自己的数，不是 $W$ 的转置 |

- **返回**一对：隐藏层 `hidden` (B, H)，重建 `reconstruction` (B, D)。
- 只有隐藏层过 tanh。输出层什么函数也不过，不然超过 1 的数就重建不出来了。
- 后面要用它训练，那时批次大小不知道（`x.shape[0]` 是 `None`），所以只用 `ops`。不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
A slash that was cut goes on from both its ends; a square lacks two bits of its sides. What you used is that strokes go on, and that there are only so many shapes: **knowledge** about these pictures. For some the clues are too few, several shapes would do, and all you can do is guess the likeliest. Could a network learn such things by itself?

## 5a.2 Exercise: an autoencoder

An autoencoder is the most honest of networks: what goes in is what has to come out. In between is a **hidden layer**, and everything has to pass it:

$$h = \tanh(x W + b), \qquad \hat{x} = h W' + b'$$

```text
x (B, D) ── W (D, H), b (H,), tanh ──▶ h (B, H) ── W' (H, D), b' (D,) ──▶ rebuilt (B, D)
```

Write `autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias)`:

| Argument | Shape | Notes |
|---|---|---|
| `x` | (B, D) | float |
| `encoder_kernel`, `encoder_bias` | (D, H), (H,) | $W$ and $b$ |
| `decoder_kernel`, `decoder_bias` | (H, D), (D,) | $W'$ and $b'$; $W'$ has numbers of its own and isn't the transpose of $W$ |

- **Returns** a pair: the hidden layer `hidden` (B, H) and the `reconstruction` (B, D).
- Only the hidden layer goes through tanh. The output goes through nothing, or else numbers above 1 couldn't be rebuilt.
- You will train with it, and then the batch size is unknown (`x.shape[0]` is `None`), so use `ops` only. You needn't check the arguments.
"""


# %% exercise="autoencoder_forward"
def autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias):
    """Squeeze every example into a hidden layer, and rebuild it from there.

    Args:
        x: float tensor of shape (B, D).
        encoder_kernel: float tensor of shape (D, H).
        encoder_bias: float tensor of shape (H,).
        decoder_kernel: float tensor of shape (H, D).
        decoder_bias: float tensor of shape (D,).

    Returns:
        The pair (hidden, reconstruction) of shapes (B, H) and (B, D); hidden went through tanh,
        the reconstruction through no activation function.
    """
    ### BEGIN SOLUTION
    hidden = ops.tanh(ops.matmul(x, encoder_kernel) + encoder_bias)  # (B, H)
    return hidden, ops.matmul(hidden, decoder_kernel) + decoder_bias  # (B, D)
    ### END SOLUTION


# %% check="autoencoder_forward"
check("autoencoder_forward", autoencoder_forward)

# %% [markdown] lang="zh"
r"""
**看一看：没学过也能满分。** 图片摊平了是 81 个数，取一样宽的隐藏层。$W$ 取单位矩阵的百分之一，$W'$ 取单位矩阵的一百倍，偏置全是 0，一步也不训练。**先猜**：重建误差（差的平方的平均）有多大？拿纯噪声给它呢？
"""

# %% [markdown] lang="en"
r"""
**See it: full marks without having learnt.** Laid flat a picture is 81 numbers; take a hidden layer as wide as that. Let $W$ be a hundredth of the identity matrix and $W'$ a hundred times the identity, all biases 0, and don't train at all. **Guess**: how large is the error of its reconstructions (the mean of squared differences)? And if you feed it pure noise?
"""

# %% tags=["experiment"]
if ready("autoencoder_forward"):
    identity, zeros = tensor(np.eye(81)), ops.zeros((81,))
    noise = np.random.default_rng(3).normal(size=(500, 81))
    for name, flat in (
        (either("图片", "pictures"), test_pictures.reshape(-1, 81)),
        (either("纯噪声", "pure noise"), noise),
    ):
        _, rebuilt = autoencoder_forward(
            tensor(flat), 0.01 * identity, zeros, 100 * identity, zeros
        )
        error = np.mean(np.square(np.asarray(rebuilt) - flat))
        print(f"{name}  {error:.1e}")

# %% [markdown] lang="zh"
r"""
误差几乎是 0，而它一张图也没见过，噪声照样原样吐出来：tanh 在 0 附近几乎是直线，所以这个网络只是绕个弯**照抄**。可见，重建误差为 0 什么也说明不了。隐藏层只要够宽，训练出来的自编码器就可能走这条近路。

堵住近路，有两个办法。一是**收窄**隐藏层，81 个数挤不过去，只好挑要紧的记；二是**弄坏输入**，却要它吐出干净的：洞里没有东西可抄。第二个办法就是去噪自编码器（[Vincent 等 2008](https://www.cs.toronto.edu/~larocheh/publications/icml-2008-denoising-autoencoders.pdf)），隐藏层多宽都行。

## 5a.3 练习：损失，跟谁比

弄坏的是输入，比的时候却要跟**干净的**比。要是跟弄坏的比，洞就成了标准答案。

比哪些位置呢？可以全都比；也可以只比弄坏的那些，这时除以的是坏掉的位置数，不是全部。BERT 用的是后一种。

**手算一遍。** 三个位置，每个位置两个数，只有中间那个弄坏过：

| | 位置 0 | 位置 1（坏） | 位置 2 |
|---|---|---|---|
| 干净的 | $1, 0$ | $2, 1$ | $0, 4$ |
| 重建的 | $1, 1$ | $1, 1$ | $0, 2$ |
| 差的平方 | $0, 1$ | $1, 0$ | $0, 4$ |

全都算：$6 / 6 = 1$。只算坏掉的位置：$1 / 2 = 0.5$。

写 `dae_loss(reconstruction, x, is_corrupted, only_corrupted=False)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `reconstruction` | (B, T, D) | 浮点；从弄坏的输入重建出来的 |
| `x` | (B, T, D) | 浮点；**干净**的输入 |
| `is_corrupted` | (B, T) | 布尔，`True` = 这个位置弄坏过 |
| `only_corrupted` | `bool` | 是不是只算弄坏的位置 |

- `only_corrupted=False`：所有 B · T · D 个数，差的平方的平均；这时 `is_corrupted` 用不上。
- `only_corrupted=True`：只算弄坏的位置，分母是这些位置在**整批**里一共有多少个数（位置数乘以 D），不是先对每行求平均。一个位置也没坏，就返回 0，不能是 NaN。
- **返回**一个数，float32，形状 ()。不乘二分之一，不开方。
- 训练时批次大小不知道，只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
The error is almost 0, and this network has never seen a picture; noise comes out as it went in, too. Close to 0 tanh is nearly a straight line, so all it does is to **copy** by a detour. A reconstruction error of 0 proves nothing, then. And wherever the hidden layer is wide enough, a trained autoencoder can take this shortcut.

There are two ways to close it. One is a **narrow** hidden layer: 81 numbers don't fit through, and it has to choose what matters. The other is to **damage the input** and ask for the clean one: in a hole there is nothing to copy. The second is the denoising autoencoder ([Vincent et al. 2008](https://www.cs.toronto.edu/~larocheh/publications/icml-2008-denoising-autoencoders.pdf)), and its hidden layer may be as wide as you like.

## 5a.3 Exercise: a loss, but compared with what?

What is damaged is the input; what the result is compared with is **clean**. Compare with the damaged input, and the hole becomes the right answer.

Which positions count? All of them may; or the damaged ones alone, and then you divide by the number of those and not by that of all. BERT does the latter.

**Once by hand.** Three positions of two numbers each, of which the middle one was damaged:

| | position 0 | position 1 (damaged) | position 2 |
|---|---|---|---|
| clean | $1, 0$ | $2, 1$ | $0, 4$ |
| rebuilt | $1, 1$ | $1, 1$ | $0, 2$ |
| squared difference | $0, 1$ | $1, 0$ | $0, 4$ |

All of them: $6 / 6 = 1$. Damaged ones alone: $1 / 2 = 0.5$.

Write `dae_loss(reconstruction, x, is_corrupted, only_corrupted=False)`:

| Argument | Shape | Notes |
|---|---|---|
| `reconstruction` | (B, T, D) | float; rebuilt from the damaged input |
| `x` | (B, T, D) | float; the **clean** input |
| `is_corrupted` | (B, T) | bool, `True` = this position was damaged |
| `only_corrupted` | `bool` | whether only damaged positions count |

- `only_corrupted=False`: the mean of the squared differences over all B · T · D numbers; `is_corrupted` isn't needed then.
- `only_corrupted=True`: damaged positions alone, and the divisor is how many numbers they hold in the **whole batch** (positions times D); don't average each row first. If nothing was damaged, return 0, never NaN.
- **Returns** one number, float32 of shape (). No factor of one half, no root.
- In training the batch size is unknown; use `ops` only.
"""


# %% exercise="dae_loss"
def dae_loss(reconstruction, x, is_corrupted, only_corrupted=False):
    """Compare what was rebuilt with the clean input, everywhere or at damaged positions alone.

    Args:
        reconstruction: float tensor of shape (B, T, D), rebuilt from the damaged input.
        x: float tensor of shape (B, T, D), the clean input.
        is_corrupted: bool tensor of shape (B, T), True where a position was damaged.
        only_corrupted: bool, whether only damaged positions count.

    Returns:
        float32 tensor of shape (), the mean of the squared differences over all numbers that
        count; 0 if there are none.
    """
    ### BEGIN SOLUTION
    squared = ops.square(ops.cast(reconstruction, "float32") - ops.cast(x, "float32"))  # (B, T, D)
    if not only_corrupted:
        return ops.mean(squared)
    per_position = ops.mean(squared, axis=-1)  # (B, T)
    counts = ops.cast(is_corrupted, "float32")  # (B, T)
    return ops.sum(per_position * counts) / ops.maximum(ops.sum(counts), 1.0)
    ### END SOLUTION


# %% check="dae_loss"
check("dae_loss", dae_loss)

# %% [markdown] lang="zh"
r"""
**用一用。** 先对一对手算的数。再看三种“重建”各得多少分：一字不差的；把坏输入原样交回来的；洞里填上训练图片的平均值、别处不动的。坏输入用 5a.1 的谜语。
"""

# %% [markdown] lang="en"
r"""
**Use it.** First compare with the numbers by hand. Then see what three "reconstructions" get: the clean picture itself; the damaged input, handed back as it is; and the damaged input whose hole is filled with the mean of all training pictures. The damaged inputs are the riddles of 5a.1.
"""

# %% tags=["experiment"]
if ready("dae_loss"):
    by_hand = [[[1, 0], [2, 1], [0, 4]]], [[[1, 1], [1, 1], [0, 2]]], [[False, True, False]]
    clean, rebuilt, damaged = (np.array(part) for part in by_hand)
    given = tensor(rebuilt), tensor(clean), damaged
    both = [float(dae_loss(*given, only_corrupted=only)) for only in (False, True)]
    say(f"手算的：{both[0]:.2f} 和 {both[1]:.2f}", f"by hand: {both[0]:.2f} and {both[1]:.2f}")

    clean = test_pictures[one_of_each]
    filled = np.where(in_hole[..., None], train_pictures.mean(axis=0), riddles)
    for name, answer in (
        (either("干净的图", "the clean picture"), clean),
        (either("原样交回", "handed back"), riddles),
        (either("填平均值", "filled with means"), filled),
    ):
        everywhere, holes = (
            float(dae_loss(tensor(answer), tensor(clean), in_hole, only)) for only in (False, True)
        )
        say(
            f"{name}：全都算 {everywhere:.4f}，只算洞里 {holes:.4f}",
            f"{name}: everywhere {everywhere:.4f}, in the hole alone {holes:.4f}",
        )

# %% [markdown] lang="zh"
r"""
洞占三分之一，别处又一字不差，所以后两种里，“只算洞里”正好是“全都算”的三倍。两个数说的是一回事，可要是网络在别处也有小差错，“全都算”就会把补洞的本事淹掉。后面比本事，一律只算坏掉的位置。

## 5a.4 练习：弄坏

怎样弄坏？最简单的是**清零**：一个位置的 D 个数全变成 0。每次训练换一批洞，同一张图，这回缺这里，下回缺那里。

单个位置的洞好补：隔壁就在眼前，抄隔壁、取平均都差不多。要逼网络看得远些，就连着挖一**段**（span）。我们这样挖：从头起，每 `span` 个位置算一块，一块同生共死，块与块之间互不相干。

```text
T = 8, span = 3      [0 1 2] [3 4 5] [6 7]      最后一块短一些
抽签                    留      坏      留
is_corrupted          F F F   T T T    F F
```

写 `denoise_corrupt(x, rate=0.15, span=1, seed=None)`：

| 参数 | 形式 | 说明 |
|---|---|---|
| `x` | (B, T, D) 浮点数组 | NumPy 的；别改动它 |
| `rate` | 0 到 1 的数 | 每一块被清零的概率 |
| `span` | 正整数 | 一块有几个位置；比 T 还大，那就每行只有一块 |
| `seed` | 整数或 `None` | 随机数生成器的种子，比如 `np.random.default_rng(seed)` |

- 块从每行的第 0 个位置数起，最后一块可以短一些。**每一行、每一块各抽各的**：不是整批共用一批洞，也不是恰好挖掉几块。
- 清零的位置，D 个数全是 0。留下的**原样不动**，不放大：dropout 在训练时会放大留下的，这里不会。
- **返回**一对：弄坏的数组，形状和 dtype 与 `x` 相同；布尔数组 `is_corrupted` (B, T)，`True` = 这一处抽中了。一个位置要是本来就全是 0，没抽中就不算弄坏。
- 同一个整数种子（seed）给出同样的洞，另一个种子给出别的洞；`None` 每次都不同。
- 这是准备数据，不进模型，用 NumPy 写。不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
The hole is a third of the picture and all else is exact, so for the last two "in the hole alone" is just three times "everywhere". The two numbers say the same here; but once a network makes small errors elsewhere, "everywhere" drowns how well it fills holes. From now on skill is measured in holes alone.

## 5a.4 Exercise: do damage

How to damage? The simplest way is **zero**: all D numbers of a position become 0. Every step of training gets new holes; the same picture lacks this part today and that part tomorrow.

A hole of a single position is easy: its neighbours are there, and copying or averaging them does nearly as well. To make the network look further, take out a **span** of neighbours. We do it so: from the beginning on, every `span` positions make a block; a block lives or dies as a whole, and blocks know nothing of each other.

```text
T = 8, span = 3      [0 1 2] [3 4 5] [6 7]      the last block is shorter
the draw              keeps   dies    keeps
is_corrupted          F F F   T T T    F F
```

Write `denoise_corrupt(x, rate=0.15, span=1, seed=None)`:

| Argument | Form | Notes |
|---|---|---|
| `x` | (B, T, D) float array | of NumPy; don't change it |
| `rate` | a number from 0 to 1 | the probability that a block is blanked |
| `span` | a positive int | how many positions a block has; if it is above T, every row is one block |
| `seed` | an int or `None` | for a random generator, such as `np.random.default_rng(seed)` |

- Blocks are counted from position 0 of every row, and the last one may be shorter. **Every block of every row has a draw of its own**: the rows of a batch don't share their holes, and the number of holes isn't fixed.
- All D numbers of a blanked position are 0. The others **stay as they are**, not scaled up: dropout scales up in training what it leaves, this doesn't.
- **Returns** a pair: the damaged array, shape and dtype of `x`; and the bool array `is_corrupted` (B, T), `True` = this position was drawn. A position that happens to be all 0 and wasn't drawn is not damaged.
- The same int as a seed gives the same holes, another one other holes; `None` is different every time.
- This prepares data and is no part of a model: write it in NumPy. You needn't check the arguments.
"""


# %% exercise="denoise_corrupt"
def denoise_corrupt(x, rate=0.15, span=1, seed=None):
    """Blank some spans of every sequence, and say where.

    Positions are dealt out in blocks of `span` neighbours from the first one on; the last block
    may be shorter. Each block of each row is blanked with probability `rate`, on its own.

    Args:
        x: float array of shape (B, T, D); it is not changed.
        rate: float from 0 to 1, the probability that a block is blanked.
        span: int, at least 1, how many neighbours share one fate.
        seed: int or None, for a generator such as `np.random.default_rng` makes.

    Returns:
        The pair (corrupted, is_corrupted): an array like x with zeros at all numbers of blanked
        positions, the others as they were, and a bool array of shape (B, T), True = blanked.
    """
    ### BEGIN SOLUTION
    num_rows, length, _ = x.shape
    num_blocks = -(-length // span)  # rounded up
    is_blanked = np.random.default_rng(seed).random((num_rows, num_blocks)) < rate
    is_corrupted = np.repeat(is_blanked, span, axis=1)[:, :length]  # (B, T)
    return np.where(is_corrupted[..., None], np.zeros_like(x), x), is_corrupted
    ### END SOLUTION


# %% check="denoise_corrupt"
check("denoise_corrupt", denoise_corrupt)

# %% [markdown] lang="zh"
r"""
**看一看。** 三种挖法，各画十张。下面打印的是 5000 张图里实际弄坏的比例，**先猜**：`span=3` 的比例，还是 `rate` 吗？一张图里一个洞都没有的，占多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** Three ways of doing damage, ten pictures each. Below are shares counted over 5000 pictures. **Guess** first: with `span=3`, is the share of damaged positions still `rate`? And how many pictures get away without any hole?
"""

# %% tags=["experiment"]
WAYS = ((0.15, 1), (0.3, 1), (0.3, 3))
if ready("denoise_corrupt"):
    shown = test_pictures[one_of_each]
    rows, holes = {on_chart("干净的", "clean"): shown}, {}
    for rate, span in WAYS:
        name = f"rate={rate}\nspan={span}"
        rows[name], holes[name] = denoise_corrupt(shown, rate, span, seed=4)
    show_pictures(rows, holes)
    many = np.tile(test_pictures, (10, 1, 1))
    for rate, span in WAYS:
        _, is_corrupted = denoise_corrupt(many, rate, span, seed=5)
        untouched = np.mean(~is_corrupted.any(axis=1))
        blocks = -(-SIDE // span)
        say(
            f"rate={rate}, span={span}：弄坏的位置占 {is_corrupted.mean():.3f}；一个洞都没有的图 "
            f"{untouched:.3f}，算出来是 {1 - rate:.2f} 的 {blocks} 次方，{(1 - rate) ** blocks:.3f}",
            f"rate={rate}, span={span}: {is_corrupted.mean():.3f} of all positions damaged; "
            f"{untouched:.3f} of the pictures have no hole, by arithmetic {1 - rate:.2f} to the "
            f"power of {blocks}, {(1 - rate) ** blocks:.3f}",
        )

# %% [markdown] lang="zh"
r"""
坏掉的比例与段长无关，每个位置都是 `rate`；变的是它们怎样扎堆：段越长，洞越少、越大，没有洞的图也越多。

## 5a.5 用一用：照抄的、挤过的、补洞的

三件东西凑齐了，训练三个自编码器，步数一样，训练图片一样：

| 名字 | 隐藏层 | 读进去的 |
|---|---|---|
| 照抄的 | 128 | 干净的图 |
| 挤过的 | 16 | 干净的图 |
| 补洞的 | 128 | 弄坏的图，`rate=0.3, span=3`，每一步换一批洞 |

训练的损失都是跟干净的图比，所有位置都算。测试用没见过的 500 张图，量三件事：干净的图重建得怎样；洞补得怎样（只算坏掉的位置）；把每张图的 81 个点**打乱**，成了谁也看不懂的花点，重建得又怎样。

**先猜**：三列数里，各是谁最小？（一共十几秒；电脑慢或者忙，就要一两分钟。）
"""

# %% [markdown] lang="en"
r"""
The share of damaged positions doesn't depend on the length of spans, it is `rate` everywhere; what changes is how they crowd together: the longer the spans, the fewer and larger the holes, and the more pictures have none.

## 5a.5 Use it: one that copies, one that squeezes, one that fills holes

With your three pieces, train three autoencoders, for as many steps on the same pictures:

| Name | Hidden layer | What goes in |
|---|---|---|
| copies | 128 | clean pictures |
| squeezes | 16 | clean pictures |
| fills holes | 128 | damaged pictures, `rate=0.3, span=3`, new holes in every step |

All three are compared with the clean picture at all positions. On 500 pictures that they have never seen we measure three things: how well clean pictures are rebuilt; how well holes are filled (in the holes alone); and how well a picture is rebuilt whose 81 points were **shuffled**, so that it shows nothing at all.

**Guess**: which of the three has the smallest number in each column? (All this takes a dozen seconds or so, on a slow or busy computer a minute or two.)
"""


# %% tags=["experiment"]
class Autoencoder(keras.Model):
    """Your `autoencoder_forward` and `dae_loss`, with weights to train."""

    def __init__(self, hidden_size, size=SIDE * SIDE):
        super().__init__()

        def matrix(rows, columns):
            return self.add_weight(shape=(rows, columns), initializer="glorot_uniform")

        def zeros(columns):
            return self.add_weight(shape=(columns,), initializer="zeros")

        self.parts = matrix(size, hidden_size), zeros(hidden_size)
        self.other_parts = matrix(hidden_size, size), zeros(size)

    def call(self, x):
        flat = ops.reshape(x, (-1, SIDE * SIDE))
        _, rebuilt = autoencoder_forward(flat, *self.parts, *self.other_parts)
        return ops.reshape(rebuilt, (-1, SIDE, SIDE))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        clean, is_corrupted = y
        return dae_loss(y_pred, clean, is_corrupted)


def train_autoencoder(hidden_size, rate, span, steps=2500, batch_size=100):
    """Train on damaged pictures, with new holes in every step; a rate of 0 damages nothing."""
    keras.utils.set_random_seed(0)
    model = Autoencoder(hidden_size)
    falling = keras.optimizers.schedules.CosineDecay(3e-3, steps)
    model.compile(optimizer=keras.optimizers.Adam(falling))
    rng = np.random.default_rng(0)
    for step in range(steps):
        clean = train_pictures[rng.integers(len(train_pictures), size=batch_size)]
        damaged, is_corrupted = denoise_corrupt(clean, rate, span, seed=step)
        model.train_on_batch(damaged, (clean, is_corrupted))
    return model


# %% tags=["experiment"]
if ready("autoencoder_forward", "dae_loss", "denoise_corrupt"):
    trained = {
        either("照抄的", "copies"): train_autoencoder(128, 0.0, 1),
        either("挤过的", "squeezes"): train_autoencoder(16, 0.0, 1),
        either("补洞的", "fills holes"): train_autoencoder(128, 0.3, 3),
    }
    damaged, is_corrupted = denoise_corrupt(test_pictures, 0.3, 3, seed=6)
    shuffled = np.random.default_rng(7).permuted(test_pictures.reshape(-1, 81), axis=1)
    shuffled = shuffled.reshape(test_pictures.shape)

    def error_in_holes(rebuilt):
        return float(dae_loss(tensor(rebuilt), tensor(test_pictures), is_corrupted, True))

    rebuilt_by, errors = {}, {}
    for name, model in trained.items():
        rebuilt_by[name] = model.predict(damaged, verbose=0)
        errors[name] = (
            np.mean(np.square(model.predict(test_pictures, verbose=0) - test_pictures)),
            error_in_holes(rebuilt_by[name]),
            np.mean(np.square(model.predict(shuffled, verbose=0) - shuffled)),
        )
        clean_error, hole_error, shuffled_error = errors[name]
        say(
            f"{name}：干净的图 {clean_error:.4f}，洞里 {hole_error:.4f}，打乱的图 {shuffled_error:.4f}",
            f"{name}: clean {clean_error:.4f}, holes {hole_error:.4f}, shuffled "
            f"{shuffled_error:.4f}",
        )
    means = np.where(is_corrupted[..., None], train_pictures.mean(axis=0), damaged)
    say(
        f"洞里不填：{error_in_holes(damaged):.4f}；洞里填平均值：{error_in_holes(means):.4f}；"
        f"每张图上加的噪声，方差 0.01",
        f"holes left empty: {error_in_holes(damaged):.4f}; holes filled with means: "
        f"{error_in_holes(means):.4f}; the noise on every picture has a variance of 0.01",
    )
    with_holes = on_chart("弄坏的", "damaged")
    shown = {on_chart("干净的", "clean"): test_pictures, with_holes: damaged}
    kinds = (("照抄的", "copies"), ("挤过的", "squeezes"), ("补洞的", "fills holes"))
    shown |= dict(zip([on_chart(*names) for names in kinds], rebuilt_by.values()))
    shown = {name: images[one_of_each] for name, images in shown.items()}
    show_pictures(shown, {with_holes: is_corrupted[one_of_each]})

# %% [markdown] lang="zh"
r"""
照抄的名副其实：不管是干净的图还是打乱的花点，抄出来都几乎没有误差（我们跑出来是 0.0001 和 0.0009）；洞也原样抄了过来，洞里的误差跟空着不填差不多。它学会的是“抄”，跟图片没有关系。挤过的正相反：打乱的图它挤不过去，因为它那 16 个数是留给图形的；洞补得比填平均值好一点；可是连干净的图也糊了。

补洞的在洞里误差最小，比填平均值小得多（我们跑出来是 0.072 对 0.113）；打乱的图，它的误差是照抄的三十来倍（0.029 对 0.0009），因为花点里没有图形可认。它的隐藏层够宽，本来可以照抄，是题目不让它抄。**它学到的是哪些笔画常在一起**。（0.072 还能小到哪里去？洞里的噪声谁也猜不到，所以再好也到不了 0.01 以下。干净的图可以：噪声就摆在眼前。）

再看图：方框只剩上边，它补全了；斜线和叉只剩几个点，它也认了出来，只是淡一些；横线整根掉进洞里，一点线索也没留下，它就只能涂一层灰。这不是没学好：误差要的是平均起来差得最少，线索不够的时候，把几种可能平均一下最稳妥。BERT 补的是词元，答案只有那么多种，可以给每一种一个概率，就不必和稀泥了；这是 5b 的事。

## 5a.6 存好的实验：补洞补出了什么

补得好不好是一回事，学到的东西**能不能拿去做别的事**是另一回事；预训练图的正是后者。怎么量？把训练好的自编码器冻住，只看它的隐藏层，用 1000 张带标签的图配一个线性探针（闭式解的岭回归）：从隐藏层能认出是哪一种图形吗？训练自编码器的时候，标签一个也没用过。

测量之前先写下断言，大意是：不论哪个种子，一次补三行的那个，洞里的误差都不到空着不填的一半；从它的隐藏层认图形，比从宽的照抄的、也比直接从像素，至少都高 5 个百分点。有了结果，成立不成立都照实打印；还没有结果，下面就只有一行字。
"""

# %% [markdown] lang="en"
r"""
The first does what its name says: clean pictures and shuffled ones come out with hardly an error (0.0001 and 0.0009 when we ran it), and it copies the holes, too, so that its error there is about that of leaving them empty. What it has learnt is to copy, and that has nothing to do with pictures. The second is the opposite: shuffled pictures don't fit through, since its 16 numbers are kept for shapes; holes it fills a little better than means would; but clean ones come out blurred, too.

The third has the smallest error in holes, well below that of filling in means (0.072 against 0.113 when we ran it); on shuffled pictures its error is some thirty times that of the copying network (0.029 against 0.0009), for there is no shape to recognise. Its hidden layer is wide enough to copy; it is the exercise that doesn't let it. **What it has learnt is which strokes go together.** (How far down could 0.072 go? Nobody can guess the noise in a hole, so never below 0.01. On clean pictures it can: there the noise is in plain sight.)

Look at the pictures again: of the square only the top was left, and it is complete again; of the slash and the × there were a few points, and they were recognised, if faintly; the bar fell into the hole as a whole and left no clue, and all that comes out is grey. It hasn't learnt badly: the error asks for the smallest difference on average, and where clues are few the safest is an average of what it might be. What BERT fills in are tokens; there are only so many, and it can give a probability to each instead of blurring them. That is for 5b.

## 5a.6 A stored experiment: what filling holes has taught

How well holes are filled is one thing; whether what was learnt **serves for something else** is another, and that is what pretraining is for. To measure it, freeze the trained autoencoders and look at their hidden layers alone. With 1000 labelled pictures fit a linear probe (ridge regression, in closed form): can it tell which shape it is? No autoencoder saw a label in training.

The claim was written down before anything was measured; in short: with every seed, the one that fills spans of three rows has less than half the error of empty holes, and from its hidden layer at least 5 points more of the shapes are told right than from that of the wide copying one, and than from the pixels themselves. Once there are results, they are printed with whether it held; until then the next cell prints a single line.
"""

# %% tags=["experiment"]
result = stored("reconstruction_by_corruption")


def verdict(result):
    """The claim, and whether it held, part by part."""
    print(result["claim"][LANG])
    for part, holds in result.get("parts", {"": result["holds"]}).items():
        print(f"({part})" if part else "", either("成立", "holds") if holds else either("不成立", "no"))


if result:
    verdict(result)
    on_chart = chart_words(LANG)
    kinds = {
        "pixels": on_chart("图片本身", "the pictures"),
        "plain_wide": on_chart("照抄，宽", "copies, wide"),
        "plain_narrow": on_chart("挤过，窄", "squeezes, narrow"),
        "denoise_rows": on_chart("补洞，一行", "fills rows"),
        "denoise_spans": on_chart("补洞，三行", "fills spans"),
    }
    with chart(2, width=4.6, height=3.2) as (left, right):
        for axis, name, label in (
            (left, "hole_error", on_chart("洞里的误差", "error in holes")),
            (right, "accuracy", on_chart("认对图形的比例", "shapes told right")),
        ):
            for i, kind in enumerate(kinds):
                if name in result["figures"][kind]:
                    values = result["figures"][kind][name]["values"]
                    axis.plot(
                        values,
                        [i] * len(values),
                        MARKERS[i],
                        color=COLOURS[i],
                        alpha=0.75,
                        clip_on=False,
                    )
            axis.set_yticks(range(len(kinds)), list(kinds.values()))
            axis.set(xlabel=label, ylim=(len(kinds) - 0.5, -0.5))
            axis.set_xlim(left=0)
        left.axvline(
            result["figures"]["left_empty"]["hole_error"]["mean"], color="black", linestyle=":"
        )
        right.axvline(0.1, color="black", linestyle=":")
    say(
        "每个记号是一个种子。左图的虚线是洞里空着不填的误差，右图的虚线是瞎猜的一成；"
        "“图片本身”没有自编码器，直接从像素认。",
        "Every marker is a seed. The dotted line on the left is the error of holes left empty, "
        "that on the right the tenth of a blind guess; “the pictures” have no autoencoder: the "
        "probe reads pixels.",
    )

# %% [markdown] lang="zh"
r"""
要跟什么比？至少跟**像素**比：不用自编码器，直接拿图片本身去认。隐藏层要是比像素还难认，那就白学了。

这种量法以后常用：5b 以后的 BERT 也是先补洞，再看补洞学来的向量能不能做别的任务。

## 5a.7 练习：从图片到句子，先切成词

图片的一个位置是一行像素。句子的一个“位置”该是什么？是**词**的话，词表就没有尽头：总有新词。是**字母**的话，词表几十个就够，可一句话要几百个位置，一个字母又说明不了什么。中文的**字**夹在当中：几千个就够用，一个字多少有点意思，不过单看一个“打”，也不知道是打人还是打电话。下面数一数新闻里的词，**先猜**：训练部分不同的词，有多少只出现过一次？测试部分的词，有多少从来没见过？（第一次要读文件，十几秒。）
"""

# %% [markdown] lang="en"
r"""
Compared with what? At least with the **pixels**: no autoencoder at all, the pictures themselves. If a hidden layer were harder to read than the pixels, nothing would have been gained.

You will meet this way of measuring again: BERT fills holes first, too, and then one asks whether the vectors it got from that are good for other tasks.

## 5a.7 Exercise: from pictures to sentences, words first

A position of a picture was a row of pixels. What should a position of a sentence be? If it is a **word**, the vocabulary has no end: there is always a new one. If it is a **letter**, some dozens are enough, but a sentence takes hundreds of positions, and a letter means nothing. Let us count the words of some news. **Guess**: how many of the forms in training occur only once? And how many of the words of the test part were never seen in training? (The first time a file is read, which takes a dozen seconds.)
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import news_words

news = news_words.load(LANG)
seen = Counter(word for sentence in news["train"] for word in sentence)
new = [word for sentence in news["test"] for word in sentence if word not in seen]
running = sum(map(len, news["test"]))
once = sum(count == 1 for count in seen.values())
say(
    f"训练：{sum(seen.values()):,} 个词，{len(seen):,} 种，其中 {once:,} 种（{once / len(seen):.0%}）"
    f"只出现一次\n测试：{running:,} 个词，{len(new):,} 个（{len(new) / running:.1%}）没见过",
    f"training: {sum(seen.values()):,} words of {len(seen):,} forms, {once:,} of which "
    f"({once / len(seen):.0%}) occur once\ntest: {running:,} words, {len(new):,} "
    f"({len(new) / running:.1%}) never seen",
)
print("  ".join(dict.fromkeys(new[:40])))

# %% [markdown] lang="zh"
r"""
四成多的词只见过一次，学不到什么；没见过的词，模型只能当作 [UNK]，而它们偏偏常是人名、地名这些最要紧的。BERT 走中间的路，分两步：先切成**词**，再把词切成词表里有的**子词**（subword）。这一节写第一步。

第一步不靠词典，只看字符。从上往下，先符合哪一行，就照哪一行办：

| 字符 | 怎么办 |
|---|---|
| `"\t"`、`"\n"`、`"\r"` | 当作空白 |
| 其余的控制字符：`unicodedata.category(c)` 是 `"Cc"`、`"Cf"` 或 `"Co"`；还有 `"\ufffd"`（解码失败时的替代符） | 丢掉，两边的字连起来（别的 C 类，检查里不会出现） |
| `c.isspace()` | 空白：词在这里断开 |
| 汉字，`is_chinese(c)` | 自成一词 |
| 标点，`is_punctuation(c)`；`$`、`+`、`^` 这些 ASCII 符号也算 | 自成一词 |
| 别的 | 和左右的字符连成词 |

`lowercase=True` 时，切之前每个字符先折成小写，两步：`unicodedata.normalize("NFD", c)` 把带附加符号的字母拆开，é 就成了 e 和一个尖音符，丢掉类别为 `"Mn"` 的部分（附加符号有时自己是一个字符，那就什么也不剩）；剩下的再 `.lower()`。`lowercase=False` 时，大小写和附加符号都不动。

写 `basic_tokenize(text, lowercase=True)`：

- `text`：字符串，可以是空的。`is_chinese` 和 `is_punctuation` 已经导入，各收一个字符，返回真假；`unicodedata` 也已导入。
- **返回**词的列表，都是非空字符串，次序和原文一样。
- 例：`basic_tokenize("Café 在3楼!")` 是 `["cafe", "在", "3", "楼", "!"]`；`basic_tokenize("Café", lowercase=False)` 是 `["Café"]`。
"""

# %% [markdown] lang="en"
r"""
Well over a third of the forms occur once, and from that little can be learnt; words never seen would all become [UNK], and many of them are names of people and places, which matter most. BERT goes a middle way, in two steps: cut the text into **words**, then cut words into **subwords**, pieces that the vocabulary has. Here comes the first step.

It needs no dictionary and only looks at characters; from the top, the first line that fits is the one that counts:

| Character | What becomes of it |
|---|---|
| `"\t"`, `"\n"`, `"\r"` | white space |
| other control characters, whose `unicodedata.category(c)` is `"Cc"`, `"Cf"` or `"Co"`; and `"\ufffd"`, which stands for a byte that couldn't be read | dropped; the two sides join up (other categories in C don't occur in the check) |
| `c.isspace()` | white space: a word ends here |
| a Chinese character, `is_chinese(c)` | a word of its own |
| punctuation, `is_punctuation(c)`; ASCII signs such as `$`, `+` and `^` count, too | a word of its own |
| anything else | joins its neighbours to make a word |

With `lowercase=True` every character is folded first, in two steps: `unicodedata.normalize("NFD", c)` takes a letter with an accent apart, é becoming e and an acute accent, and parts of the category `"Mn"` are dropped (an accent may be a character by itself, and then nothing is left); what remains goes through `.lower()`. With `lowercase=False` case and accents stay as they are.

Write `basic_tokenize(text, lowercase=True)`:

- `text`: a string, perhaps an empty one. `is_chinese` and `is_punctuation` are imported; each takes one character and answers true or false. `unicodedata` is imported, too.
- **Returns** the list of words, none of them empty, in the order of the text.
- `basic_tokenize("Café 在3楼!")` is `["cafe", "在", "3", "楼", "!"]`, and `basic_tokenize("Café", lowercase=False)` is `["Café"]`.
"""


# %% exercise="basic_tokenize"
def basic_tokenize(text, lowercase=True):
    """Split text into words, the first of BERT's two steps.

    Args:
        text: str.
        lowercase: bool, whether to drop accents and fold case.

    Returns:
        list of str, none of them empty: every Chinese character and every punctuation mark by
        itself, the rest split at white space.
    """
    ### BEGIN SOLUTION
    pieces = []
    for character in text:
        if character in "\t\n\r":
            character = " "
        elif character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co"):
            continue
        stands_alone = is_chinese(character)
        if lowercase:
            parts = unicodedata.normalize("NFD", character)
            character = "".join(c for c in parts if unicodedata.category(c) != "Mn").lower()
        pieces += [f" {c} " if stands_alone or is_punctuation(c) else c for c in character]
    return "".join(pieces).split()
    ### END SOLUTION


# %% check="basic_tokenize"
check("basic_tokenize", basic_tokenize)

# %% [markdown] lang="zh"
r"""
**看一看。** 每一行先猜再看。第三行里有一个零宽空格，屏幕上看不见，所以写成了 `\u200b`；最后一行是模型的特殊词元，被当成了普通文字。
"""

# %% [markdown] lang="en"
r"""
**See it.** Guess each line before you look. The third holds a zero-width space, which nobody could see and which is printed as `\u200b`; the last is a special token of the model, taken for ordinary text.
"""

# %% tags=["experiment"]
if ready("basic_tokenize"):
    for sentence in (
        "Don't pay $3.50 for it!",
        "我在MIT读了2年书，还没毕业。",
        "in\u200bvisible",
        "Ångström, naïve, RÉSUMÉ",
        "ひらがな と 漢字",
        "a [MASK] b",
    ):
        print(repr(sentence), "→", " | ".join(basic_tokenize(sentence)))

# %% [markdown] lang="zh"
r"""
三件事值得记住。汉字一个一个地切，不管词：中文 BERT 的词元就是字，“词”要到 5b 的全词掩码才回来。日文的假名不拆开，可是“が”成了“か”：浊点也是附加符号，跟 é 的尖音符一起丢了。[MASK] 被切成了三块，可它本该是一个词元：所以真正的分词器先把特殊词元**摘出来**，剩下的文字才归 `basic_tokenize` 管。

## 5a.8 练习：再切成子词

第二步看词表。WordPiece 从词的左端起，每次取词表里有的、**最长**的一块；不在词首的子词，前面写上 `##`，免得把“一个词”和“词的后半截”混为一谈。

小词表：`un`、`##aff`、`##able`、`##a`、`##b`、`##le`、`able`。手算：

| 词 | 子词 | 位置 |
|---|---|---|
| `able` | `able` | $(0, 4)$ |
| `unable` | `un`、`##able` | $(0, 2)$、$(2, 6)$ |
| `unaffable` | `un`、`##aff`、`##able` | $(0, 2)$、$(2, 5)$、$(5, 9)$ |
| `unlearn` | `[UNK]`：`un`、`##le` 之后，`arn` 里 `##a` 还在，`##r` 没有了 | $(0, 7)$ |

最后一行是关键：只要有**一处**盖不住，**整个词**就是一个未知词元，已经切好的也作废。

写 `wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100)`；架子搭好了，留着两个空：

| 参数 | 形式 | 说明 |
|---|---|---|
| `word` | 字符串 | 非空，没有空白，`basic_tokenize` 切好的 |
| `vocabulary` | 集合之类 | 只保证能问 `piece in vocabulary` |
| `unknown` | 字符串 | 未知词的词元 |
| `max_word_length` | 正整数 | 字符比这还多的词，看也不看就算未知；正好这么多的照常切 |

- **返回**一对：子词的列表，除了第一个都以 `##` 开头；位置的列表，每个子词一对 `(start, end)`，说它盖住 `word` 的哪几个字符，`end` 不含在内。`##` 不是词里的字符，不占位置。
- 贪心：取了最长的就不回头，哪怕取短一点后面就能切通。
- 未知的词：`([unknown], [(0, len(word))])`。
"""

# %% [markdown] lang="en"
r"""
Three things to remember. Chinese is cut into characters, words or not: the tokens of a Chinese BERT are characters, and words come back in 5b with whole word masking. Japanese kana stay together, but が has become か: its two strokes count as an accent and are dropped like that of é. And [MASK] fell into three pieces, though it ought to be one token: so a real tokenizer **takes special tokens out** first, and leaves only the rest to `basic_tokenize`.

## 5a.8 Exercise: then subwords

The second step looks at the vocabulary. WordPiece begins at the left end of a word and always takes the **longest** piece that the vocabulary has; pieces that don't begin the word are written with `##` in front, so that a word isn't confused with the rest of another.

A small vocabulary: `un`, `##aff`, `##able`, `##a`, `##b`, `##le`, `able`. By hand:

| Word | Pieces | Offsets |
|---|---|---|
| `able` | `able` | $(0, 4)$ |
| `unable` | `un`, `##able` | $(0, 2)$, $(2, 6)$ |
| `unaffable` | `un`, `##aff`, `##able` | $(0, 2)$, $(2, 5)$, $(5, 9)$ |
| `unlearn` | `[UNK]`: after `un` and `##le`, of `arn` there is `##a`, but no `##r` | $(0, 7)$ |

The last line is the point: if **one** part isn't covered, the **whole word** is one unknown token, and pieces already found are thrown away.

Write `wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100)`; the frame is there, with two holes:

| Argument | Form | Notes |
|---|---|---|
| `word` | a string | not empty, no white space: made by `basic_tokenize` |
| `vocabulary` | a set or the like | all you may count on is `piece in vocabulary` |
| `unknown` | a string | the token for unknown words |
| `max_word_length` | a positive int | a word of more characters is unknown without a look; one of exactly that many is cut as usual |

- **Returns** a pair: the list of pieces, all but the first beginning with `##`; and the list of offsets, for each piece a pair `(start, end)`, the characters of `word` that it covers, `end` not included. `##` is no character of the word and takes no room.
- It is greedy: once the longest is taken there is no way back, even if a shorter one would have led to the end.
- For an unknown word: `([unknown], [(0, len(word))])`.
"""


# %% exercise="wordpiece_tokenize"
def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100):
    """Cut one word into the longest pieces that the vocabulary knows, from the left.

    Args:
        word: str, not empty, without white space.
        vocabulary: anything that answers `piece in vocabulary`, such as a set of str.
        unknown: str, the token that takes the place of an unknown word.
        max_word_length: int; longer words are unknown.

    Returns:
        The pair (pieces, offsets): a list of str, and for each of them a pair (start, end), the
        characters of `word` that it covers, `end` not included.
    """
    not_known = [unknown], [(0, len(word))]
    # First hole: what is too long.
    ### BEGIN SOLUTION
    if len(word) > max_word_length:
        return not_known
    ### END SOLUTION
    pieces, offsets, start = [], [], 0
    while start < len(word):
        # Second hole: find the longest piece that begins at `start`; keep it and its offsets,
        # and move `start`. What if there is none?
        ### BEGIN SOLUTION
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                break
        else:
            return not_known
        pieces.append(piece)
        offsets.append((start, end))
        start = end
        ### END SOLUTION
    return pieces, offsets


# %% check="wordpiece_tokenize"
check("wordpiece_tokenize", wordpiece_tokenize)

# %% [markdown] lang="zh"
r"""
**看一看。** 先对手算的表；再看贪心的代价：词表里有 `ab`、`a`、`##bc`，却没有 `##c`，`abc` 会怎样？（先猜。）
"""

# %% [markdown] lang="en"
r"""
**See it.** First the table done by hand; then the price of being greedy: the vocabulary has `ab`, `a` and `##bc`, but no `##c`. What becomes of `abc`? (Guess.)
"""

# %% tags=["experiment"]
if ready("wordpiece_tokenize"):
    small = {"un", "##aff", "##able", "##a", "##b", "##le", "able"}
    for word in ("able", "unable", "unaffable", "unlearn"):
        print(word, *wordpiece_tokenize(word, small))
    print("abc", *wordpiece_tokenize("abc", {"ab", "a", "##bc"}))

# %% [markdown] lang="zh"
r"""
`a` 加 `##bc` 明明切得通，贪心却先拿了 `ab`，于是整个词未知。真的词表里常见的字母都有带 `##` 的一份，这种事就少见了：最坏不过是切成一个个字母。（词表太小，连字母都收不全，那就另说。）

**位置**有什么用？模型的答案是词元，人要的是原文里的一段：问答要把答案划出来（6b），就靠它从词元走回字符。

## 5a.9 用一用：词表多大才好

词表从哪里来？从文字里**学**：先收下所有的单个字符，再一次次地把常挨在一起的两块并成一块，直到够数。`train_wordpiece_vocabulary` 做这件事（调用 `tokenizers` 库）。下面用几千段新闻，中文和英文各训练四份词表，从 300 到 10000 个词元；再用**你的**两个函数去切没见过的段落，量两个数：

- **未知**：变成 [UNK] 的词，占几成；
- **子词**：切得开的词，平均切成几个。

**先猜**：词表变大，中文哪个数变得多，英文哪个数变得多？为什么？（读文件加训练，要十几秒到半分钟；电脑忙，就要一分多钟。）
"""

# %% [markdown] lang="en"
r"""
`a` and `##bc` would have covered it, but greed took `ab` first, and so the whole word is unknown. In real vocabularies every common letter has a copy with `##`, and this hardly ever happens: at worst a word falls into single letters. (A very small vocabulary that lacks some letters is another matter.)

And what are the **offsets** good for? A model answers in tokens, people want a part of the text: to mark the answer to a question (6b), they lead from tokens back to characters.

## 5a.9 Use it: how large a vocabulary?

Where does a vocabulary come from? It is **learnt** from text: take all single characters, then again and again join two pieces that often stand side by side, until there are enough. `train_wordpiece_vocabulary` does this (with the library `tokenizers`). From a few thousand paragraphs of news, Chinese and English, the next cell trains four vocabularies each, of 300 to 10,000 tokens; then **your** two functions cut paragraphs they have never seen, and two numbers are taken:

- **unknown**: the share of words that become [UNK];
- **pieces**: into how many pieces a word that isn't unknown is cut, on average.

**Guess**: as the vocabulary grows, which number moves most in Chinese, and which in English? Why? (Reading and training take from a dozen seconds to half a minute, on a busy computer more than a minute.)
"""

# %% tags=["experiment"]
vocabularies = {}  # filled by the next cell
VOCABULARY_SIZES = (300, 1000, 3000, 10_000)


def pieces_of(sentence, vocabulary):
    """Pieces of a text in which no special token is written: your two steps."""
    words = basic_tokenize(sentence)
    return [piece for word in words for piece in wordpiece_tokenize(word, vocabulary)[0]]


def unknown_and_pieces(words, vocabulary):
    """The share of unknown words, and the mean number of pieces of the others."""
    unknown = pieces = 0
    for word, times in words.items():
        found, _ = wordpiece_tokenize(word, vocabulary)
        if found == ["[UNK]"]:
            unknown += times
        else:
            pieces += times * len(found)
    total = sum(words.values())
    return unknown / total, pieces / (total - unknown)


# %% tags=["experiment"]
from bert_keras.text.corpora import bbc_news, peoples_daily

if ready("basic_tokenize", "wordpiece_tokenize"):
    found, test_words = {}, {}
    for corpus_language, corpus in (("zh", peoples_daily), ("en", bbc_news)):
        splits = corpus.load()
        lines = [paragraph.text for paragraph in splits["train"][:3000]]
        held_out = [paragraph.text for paragraph in splits["test"][:400]]
        test_words[corpus_language] = Counter(
            word for line in held_out for word in basic_tokenize(line)
        )
        for size in VOCABULARY_SIZES:
            vocabulary = train_wordpiece_vocabulary(lines, size=size)
            vocabularies[corpus_language, size] = vocabulary
            found[corpus_language, size] = unknown_and_pieces(
                test_words[corpus_language], vocabulary
            )
            unknown, pieces = found[corpus_language, size]
            say(
                f"{corpus_language} {len(vocabulary):6,}：未知 {unknown:.4f}，子词 {pieces:.2f}",
                f"{corpus_language} {len(vocabulary):6,}: unknown {unknown:.4f}, pieces "
                f"{pieces:.2f}",
            )
    on_chart = chart_words(LANG)
    with chart(2, width=3.8, height=3) as axes:
        for which, axis in enumerate(axes):
            for i, code in enumerate(("zh", "en")):
                axis.plot(  # one of them has fewer tokens than were asked for
                    [len(vocabularies[code, size]) for size in VOCABULARY_SIZES],
                    [found[code, size][which] for size in VOCABULARY_SIZES],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    label=(on_chart("中文", "Chinese"), on_chart("英文", "English"))[i],
                )
            axis.set(xscale="log", xlabel=on_chart("词表里有几个词元", "tokens in the vocabulary"))
            axis.set_xticks(VOCABULARY_SIZES, [str(size) for size in VOCABULARY_SIZES])
            axis.minorticks_off()
        axes[0].set(ylabel=on_chart("未知词的比例", "share of unknown words"), ylim=(0, None))
        axes[1].set(ylabel=on_chart("每个词切成几块", "pieces per word"), ylim=(0, None))
        axes[0].legend(frameon=False)

# %% tags=["experiment"]
if vocabularies:
    example = either(
        "上海的WordPiece分词器把Transformers切开了。",
        "Unbelievable: the tokenizer cuts umbrellas and Transformers.",
    )
    for size in VOCABULARY_SIZES:
        print(f"{size:6}", " ".join(pieces_of(example, vocabularies[LANG, size])))

# %% [markdown] lang="zh"
r"""
中文变的是**未知**：一个字就是一个词，切无可切，词表大小决定认得几个字；300 个词元时，每三个词就有一个是 [UNK]，3000 个时不到百分之一。要 10000 个只得到 3922 个：这些段落里的字都收完了，剩下的只有字母和数字可以并。英文变的是**子词**：字母就那么几十个，都收得下，永远切得开，词表大小决定切得多碎，从 2.34 块降到 1.11 块。BERT 的英文词表有 30,522 个词元，中文的 21,128 个。

看看例句：300 个和 1000 个词元的词表，位置都被汉字占了，字母没有收全，WordPiece 和 Transformers 整个是 [UNK]；大到 3000 以上，它们还是碎成了字母，因为中文报纸里难得有英文。子词只是常见的字母串，别指望它们正好是词根、词尾。

词表也不是越大越好：每多一个词元，嵌入表就多一行，少见的词元那一行又没什么机会学（5a.12 会数到）。还有一件事：**分词器、词表和文字的写法要配套**。这份报纸里的逗号、问号是半角的，词表里就没有全角的“，”“？”，遇到了全是 [UNK]；所以下面拼句子之前，先用 NFKC 折成半角。

## 5a.10 练习：两段文字，一行输入

BERT 一次读一行，一行里有一段或两段文字，前后缀着特殊词元：

```text
一段    [CLS] 第一段 [SEP] [PAD] [PAD] …
两段    [CLS] 第一段 [SEP] 第二段 [SEP] [PAD] …
片段      0     0     0     1     1     0   …
```

[CLS] 占第 0 格，整行的向量从那里读；[SEP] 是**分隔**（separator），每段末尾一个。`segment_ids` 说哪个词元属于第几段，从 **0** 数起：[CLS]、第一段和它的 [SEP] 是 0，第二段和它的 [SEP] 是 1。

放不下怎么裁？跟 4b 一样：从**长**的那一段的末尾一个一个地裁，一样长时裁第二段。**先裁文字，再加特殊词元**；先拼好再一刀切，切掉的就是最后那个 [SEP]。

写 `pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0)`：

| 参数 | 形式 | 说明 |
|---|---|---|
| `first` | 整数列表 | 第一段的编号，里面没有 `pad_id`，可以是空的；别改动它 |
| `second` | 整数列表或 `None` | `None` = 没有第二段，只有两个特殊词元；空列表是有第二段而没有字，它的 [SEP] 照样要 |
| `max_sequence_length` | 整数 | 一行的长度 T，特殊词元和填充都算在内 |
| `cls_id`、`sep_id`、`pad_id` | 整数 | 特殊词元的编号 |

- **返回**一个字典，三个键，每个值的长度都是 T，列表或 NumPy 数组都行：`token_ids`、`segment_ids` 是整数，`padding_mask` 是布尔，`True` = 真词元。
- 填充在右边。填充上的 `segment_ids` 是 0 还是 1 都行：那里反正没人看。
- T 正好等于特殊词元的个数也行，那就一个字也不剩；再小就抛出 `ValueError`。
"""

# %% [markdown] lang="en"
r"""
In Chinese it is **unknown** that moves: a character is a word and can't be cut, so the size of the vocabulary decides how many are known. With 300 tokens every third word is [UNK], with 3000 less than one in a hundred. Asked for 10,000 it came to 3922: by then all characters of these paragraphs are in, and only letters and digits are left to join. In English it is **pieces**: there are a few dozen letters, all of them are in, everything can be cut, and the size decides how finely, from 2.34 pieces down to 1.11. BERT's English vocabulary has 30,522 tokens, its Chinese one 21,128.

Look at the sentence: pieces are strings of letters that occur often, and nobody promised that they are stems and endings. With 1000 tokens *unbelievable* ends in ##able; with 10,000 it ends in ##va ##ble, since the longer piece before it swallowed one letter more.

Larger isn't always better: every token is one more row in the table of embeddings, and a rare one gives its row little to learn from (you will count them in 5a.12). And one thing more: **tokenizer, vocabulary and spelling belong together**. In this Chinese newspaper commas and question marks are half-width, so the full-width ones aren't in its vocabulary and would all become [UNK]; that is why the cell that draws rows in 5a.10 folds its sentences with NFKC before it cuts them.

## 5a.10 Exercise: two texts, one row

BERT reads a row at a time; it holds one text or two, and special tokens around them:

```text
one       [CLS] first text [SEP] [PAD] [PAD] …
two       [CLS] first text [SEP] second text [SEP] [PAD] …
segment     0       0        0        1        1     0   …
```

[CLS] stands in place 0, where a vector for the whole row is read; [SEP] is a **separator**, one at the end of each text. `segment_ids` say which text a token belongs to, counted from **0**: 0 for [CLS], the first text and its [SEP], 1 for the second text and its [SEP].

What if there isn't room? Cut as in 4b: take tokens from the end of the **longer** text, one by one, and of two equally long ones from the second. **Cut the texts first, then add the special tokens**; put everything together and then cut, and what you cut off is the last [SEP].

Write `pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0)`:

| Argument | Form | Notes |
|---|---|---|
| `first` | a list of ints | ids of the first text, `pad_id` not among them, perhaps none at all; don't change it |
| `second` | a list of ints or `None` | `None` = no second text, and two special tokens; an empty list is a second text without words, which has its [SEP] all the same |
| `max_sequence_length` | an int | the length T of the row, special tokens and padding included |
| `cls_id`, `sep_id`, `pad_id` | ints | the ids of the special tokens |

- **Returns** a dict with three keys, each value of length T, a list or a NumPy array: `token_ids` and `segment_ids` are ints, `padding_mask` is bools, `True` = a real token.
- Padding is on the right. `segment_ids` may be 0 or 1 there: nobody looks.
- T may equal the number of special tokens and leaves no text then; if it is smaller, raise `ValueError`.
"""


# %% exercise="pack_pair"
def pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0):
    """Put one or two texts into a row: [CLS] first [SEP] second [SEP], then padding.

    Tokens are taken from the end of the longer text until there is room, of two equally long ones
    from the second; the special tokens are added afterwards.

    Args:
        first: list of int, the ids of the first text.
        second: list of int, the ids of the second text, or None if there is none.
        max_sequence_length: int, the length T of the row.
        cls_id: int, the id of [CLS].
        sep_id: int, the id of [SEP].
        pad_id: int, the id of [PAD].

    Returns:
        dict of `token_ids` (ints), `segment_ids` (ints: 0 for [CLS], the first text and its [SEP],
        1 for the second text and its [SEP]; either at padding) and `padding_mask` (bools,
        True = a real token), each of length T.

    Raises:
        ValueError: there is no room for the special tokens.
    """
    ### BEGIN SOLUTION
    num_specials = 2 if second is None else 3
    if max_sequence_length < num_specials:
        raise ValueError(f"{max_sequence_length} tokens leave no room for {num_specials} specials")
    texts = [list(first), list(second or ())]
    while len(texts[0]) + len(texts[1]) > max_sequence_length - num_specials:
        longer = 0 if len(texts[0]) > len(texts[1]) else 1
        texts[longer].pop()

    token_ids = [cls_id, *texts[0], sep_id]
    segment_ids = [0] * len(token_ids)
    if second is not None:
        token_ids += [*texts[1], sep_id]
        segment_ids += [1] * (len(texts[1]) + 1)
    num_real, num_pads = len(token_ids), max_sequence_length - len(token_ids)
    return {
        "token_ids": token_ids + [pad_id] * num_pads,
        "segment_ids": segment_ids + [0] * num_pads,
        "padding_mask": [True] * num_real + [False] * num_pads,
    }
    ### END SOLUTION


# %% check="pack_pair"
check("pack_pair", pack_pair)

# %% [markdown] lang="zh"
r"""
**看一看。** 两句话切成子词，编成号，拼成一行：一次有富余，一次放不下，一次只有一段。放不下的那次，**先算**：每段各剩几个词元？（没有训练出词表时，这一格不画图。）
"""

# %% [markdown] lang="en"
r"""
**See it.** Two sentences are cut into pieces, numbered, and packed: once with room to spare, once with too little, once with a single text. Where there is too little, **work out** first how many tokens are left of each. (Nothing is drawn where no vocabulary was trained.)
"""

# %% tags=["experiment"]
if vocabularies and ready("pack_pair"):
    vocabulary = vocabularies[LANG, 3000]
    question, answer = either(
        ("出门要带伞吗？", "外面下雨了，雨还不小。"),
        ("do we need umbrellas ?", "it is raining outside , and not a little ."),
    )
    # The corpus writes Chinese marks in their half-width form, and so do we.
    halves = [unicodedata.normalize("NFKC", sentence) for sentence in (question, answer)]
    one, two = (vocabulary.ids(pieces_of(sentence, vocabulary)) for sentence in halves)
    marks = vocabulary.cls_id, vocabulary.sep_id, vocabulary.pad_id
    rows = []
    for name, second, length in (
        (either("有富余", "room to spare"), two, len(one) + len(two) + 5),
        (either("放不下", "too little"), two, 14),
        (either("一段", "one text"), None, len(one) + 4),
    ):
        row = pack_pair(one, second, length, *marks)
        tokens = vocabulary.words(row["token_ids"])
        rows.append((name, tokens, row["segment_ids"], row["padding_mask"]))
    display(packed_strips(rows, (either("片段", "segment"), either("真词元", "real"))))

# %% [markdown] lang="zh"
r"""
## 5a.11 练习：三张表相加

编号还不是向量。BERT 为每个词元查**三张表**，三个向量直接相加：

```text
token_ids (B, T)   ── 词元表 (V, D) ──▶ (B, T, D)   这是什么
第 0 … T-1 个位置   ── 位置表 (P, D) ──▶ (T, D)      它在哪里
segment_ids (B, T) ── 片段表 (2, D) ──▶ (B, T, D)   它属于哪一段
                                   相加 ──▶ 层归一化 ──▶ dropout ──▶ (B, T, D)
```

位置表是**学出来的**（3b 的加分题），不是正弦；相加之前谁也不乘 $\sqrt{D}$，那是 Transformer 的做法。为什么可以相加，而不是接在一起？想一想：三个向量接起来再乘一个矩阵，跟三个矩阵各乘各的再相加，是一回事；而表里的数本来就随便学。

`BertEmbeddings` 的构造函数和 `build` 都写好了，参数是 `vocabulary_size`（V）、`hidden_dim`（D）、`max_sequence_length`（P）、`num_segments`、`dropout` 和 `layer_norm_epsilon`；里面的零件：

| 零件 | 是什么 |
|---|---|
| `self.token_embedding`、`self.position_embedding`、`self.segment_embedding` | 三个 Keras 的 `Embedding` 层：给整数，查出行来 |
| `self.layer_norm` | 最后一轴上的层归一化 |
| `self.embeddings_dropout` | dropout 层 |

写 `call(token_ids, segment_ids)`：

- `token_ids`、`segment_ids`：整数，形状都是 (B, T)。位置从第 0 列数起，每一行都一样，填充也占位置。
- 次序：三个嵌入相加，归一化，dropout。**返回**浮点 (B, T, D)。
- T 大于 `max_sequence_length` 就抛出 `ValueError`：位置表里没有那么多行。
- 训练时批次大小不知道（`token_ids.shape[0]` 是 `None`），T 知道。只用 `ops`。dropout 层自己知道是不是在训练，不用传 `training`。
"""

# %% [markdown] lang="en"
r"""
## 5a.11 Exercise: three tables add up

An id isn't a vector yet. For every token BERT looks into **three tables** and simply adds the three vectors:

```text
token_ids (B, T)   ── token table (V, D)    ──▶ (B, T, D)   what it is
places 0 … T-1     ── position table (P, D) ──▶ (T, D)      where it stands
segment_ids (B, T) ── segment table (2, D)  ──▶ (B, T, D)   which text it belongs to
                                    sum ──▶ layer norm ──▶ dropout ──▶ (B, T, D)
```

The position table is **learnt** (as in the stretch exercise of 3b), no sinusoids; and nothing is multiplied by $\sqrt{D}$ before it is added, which is what the Transformer did. Why may they be added instead of being joined end to end? Think: to join three vectors and multiply by a matrix is to multiply each by a matrix of its own and add; and what stands in the tables is learnt anyway.

The constructor and `build` of `BertEmbeddings` are there; the arguments are `vocabulary_size` (V), `hidden_dim` (D), `max_sequence_length` (P), `num_segments`, `dropout` and `layer_norm_epsilon`, and the parts:

| Part | What it is |
|---|---|
| `self.token_embedding`, `self.position_embedding`, `self.segment_embedding` | three `Embedding` layers of Keras: ints in, rows of the table out |
| `self.layer_norm` | layer normalisation over the last axis |
| `self.embeddings_dropout` | a dropout layer |

Write its `call(token_ids, segment_ids)`:

- `token_ids`, `segment_ids`: ints, both of shape (B, T). Positions count the columns from 0, alike in every row, pads included.
- The order: add the three embeddings, normalise, dropout. **Returns** float (B, T, D).
- If T is above `max_sequence_length`, raise `ValueError`: the position table has no more rows.
- In training the batch size is unknown (`token_ids.shape[0]` is `None`), T is known. Use `ops` only. The dropout layer knows by itself whether this is training; no need to hand on `training`.
"""


# %% exercise="BertEmbeddings"
class BertEmbeddings(keras.layers.Layer):
    """Add token, position and segment embeddings, normalise, drop.

    Args:
        vocabulary_size: int, the number of tokens V.
        hidden_dim: int, the size D of an embedding.
        max_sequence_length: int, the number of positions; longer sequences are refused.
        num_segments: int, the number of segments; BERT has two, numbered 0 and 1.
        dropout: float, the share of the output dropped in training.
        layer_norm_epsilon: float, added to the variance inside the root.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.
    """

    def __init__(
        self,
        vocabulary_size,
        hidden_dim,
        max_sequence_length=512,
        num_segments=2,
        dropout=0.1,
        layer_norm_epsilon=1e-12,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.vocabulary_size, self.hidden_dim = vocabulary_size, hidden_dim
        self.max_sequence_length, self.num_segments = max_sequence_length, num_segments
        self.dropout, self.layer_norm_epsilon = dropout, layer_norm_epsilon

        def table(num_rows):
            start = keras.initializers.TruncatedNormal(stddev=0.02)
            return keras.layers.Embedding(num_rows, hidden_dim, embeddings_initializer=start)

        self.token_embedding = table(vocabulary_size)
        self.position_embedding = table(max_sequence_length)
        self.segment_embedding = table(num_segments)
        self.layer_norm = keras.layers.LayerNormalization(epsilon=layer_norm_epsilon)
        self.embeddings_dropout = keras.layers.Dropout(dropout)

    def build(self, token_ids_shape, segment_ids_shape):
        self.token_embedding.build(token_ids_shape)
        self.position_embedding.build((None,))
        self.segment_embedding.build(segment_ids_shape)
        self.layer_norm.build((*token_ids_shape, self.hidden_dim))

    def call(self, token_ids, segment_ids):
        """Embed a batch of packed sequences.

        Args:
            token_ids: int tensor of shape (B, T).
            segment_ids: int tensor of shape (B, T).

        Returns:
            float tensor of shape (B, T, D).

        Raises:
            ValueError: if T is larger than max_sequence_length.
        """
        ### BEGIN SOLUTION
        length = token_ids.shape[1]
        if length > self.max_sequence_length:
            raise ValueError(f"{length} tokens, but positions for {self.max_sequence_length}")
        tokens = self.token_embedding(token_ids)  # (B, T, D)
        positions = self.position_embedding(ops.arange(length))  # (T, D)
        segments = self.segment_embedding(segment_ids)  # (B, T, D)
        return self.embeddings_dropout(self.layer_norm(tokens + positions + segments))
        ### END SOLUTION

    def get_config(self):
        sizes = {"vocabulary_size": self.vocabulary_size, "hidden_dim": self.hidden_dim}
        sizes |= {"max_sequence_length": self.max_sequence_length}
        sizes |= {"num_segments": self.num_segments, "dropout": self.dropout}
        sizes |= {"layer_norm_epsilon": self.layer_norm_epsilon}
        return {**super().get_config(), **sizes}


# %% check="BertEmbeddings"
check("BertEmbeddings", BertEmbeddings)

# %% [markdown] lang="zh"
r"""
**看一看。** 一个六个数的小嵌入层，表里的数随机取，画成四条：词元、位置、片段，和它们的和（归一化之前）。随便挑一列，自己加一遍。注意两个 [SEP] 的词元嵌入一模一样，加完就不一样了。下面再核对：你的层输出的，是不是这个和归一化以后的样子，跟课程库里的 `BertEmbeddings` 差多少。
"""

# %% [markdown] lang="en"
r"""
**See it.** A small embedding layer with six numbers for a token and random tables, drawn as four strips: token, position, segment, and their sum (before the norm). Take any column and add it up yourself. Note that the two [SEP] have the very same token embedding, and differ once all is added. Below it is checked that your layer returns this sum, normalised, and how far it is from the library's `BertEmbeddings`.
"""

# %% tags=["experiment"]
if ready("BertEmbeddings"):
    from bert_keras.layers.embeddings import BertEmbeddings as LibraryEmbeddings

    shown_tokens = either(
        ("[CLS]", "下", "雨", "吗", "[SEP]", "下", "了", "[SEP]"),
        ("[CLS]", "is", "it", "wet", "[SEP]", "it", "is", "[SEP]"),
    )
    shown_ids = np.array([[sorted(set(shown_tokens)).index(token) for token in shown_tokens]])
    shown_segments = np.array([[0, 0, 0, 0, 0, 1, 1, 1]])
    layers = [kind(9, 6, max_sequence_length=10) for kind in (BertEmbeddings, LibraryEmbeddings)]
    rng = np.random.default_rng(8)
    tables = {"token": (9, 6), "position": (10, 6), "segment": (2, 6)}
    tables = {name: rng.normal(size=shape).round(1) for name, shape in tables.items()}
    for layer in layers:
        layer.build(shown_ids.shape, shown_segments.shape)
        for name, numbers in tables.items():
            getattr(layer, f"{name}_embedding").embeddings.assign(numbers)
    token_rows, position_rows = tables["token"][shown_ids[0]], tables["position"][:8]
    segment_rows = tables["segment"][shown_segments[0]]
    total = token_rows + position_rows + segment_rows
    strips = [
        (either("词元", "token"), token_rows),
        (either("位置", "position"), position_rows),
        (either("片段", "segment"), segment_rows),
        (either("和", "sum"), total),
    ]
    display(embedding_sum(shown_tokens, strips))
    yours, theirs = (np.asarray(layer(shown_ids, shown_segments)) for layer in layers)
    normed = total - total.mean(axis=-1, keepdims=True)
    normed /= total.std(axis=-1, keepdims=True)
    for name, other in (
        (either("归一化的和", "the sum, normalised"), normed),
        ("bert_keras", theirs),
    ):
        gap = np.abs(yours - other).max()
        say(
            f"你的层与{name}最多差 {gap:.0e}",
            f"your layer and {name}: {gap:.0e} apart at most",
        )

# %% [markdown] lang="zh"
r"""
**想一想：乘了 $\sqrt{D}$ 会怎样？** BERT 的三张表一开始的数一样大，所以和里面三份各占三分之一（按方差算）。要是照 Transformer 的老习惯，先给词元嵌入乘上 $\sqrt{D}$，它的方差就大了 D 倍。D = 768 时，位置只剩下多少？
"""

# %% [markdown] lang="en"
r"""
**Think: what would $\sqrt{D}$ do?** The three tables of BERT start out with numbers of one size, so each makes a third of the sum (by its variance). Multiply the token embedding by $\sqrt{D}$, as the Transformer used to, and its variance is D times as large. How much is left for the position when D = 768?
"""

# %% tags=["experiment"]
D = 768
rng = np.random.default_rng(9)
three = rng.normal(0, 0.02, (3, 1000, D))
for name, factor in ((either("不乘", "as it is"), 1.0), (either("乘根号 D", "times root D"), D**0.5)):
    token_part, position_part, segment_part = factor * three[0], three[1], three[2]
    total = token_part + position_part + segment_part
    share = position_part.var() / total.var()
    say(f"{name}：位置占 {share:.2%}", f"{name}: position {share:.2%}")

# %% [markdown] lang="zh"
r"""
三分之一成了千分之一点三：加完再归一化，词的先后几乎看不见了。Transformer 可以乘，是因为它的正弦本来就大（在 −1 和 1 之间），词元嵌入却小。**换了做法，缩放也得跟着换**。

## 5a.12 练习：参数都在哪里

BERT-base“一亿一千万个参数”，是怎么数出来的？不用造模型，照着尺寸算就行：

| 部分 | 参数 |
|---|---|
| 三张嵌入表 | 每行 D 个数：词元 V 行，位置 P 行，片段 2 行 |
| 嵌入后的归一化 | $\gamma$ 和 $\beta$ 各 D 个 |
| 每个块：注意力 | 查询、键、值、输出，四个 $D \times D$ 的矩阵，各有 D 个偏置（分几个头都一样） |
| 每个块：前馈网络 | $D \times F$ 加 F 个偏置，$F \times D$ 加 D 个偏置 |
| 每个块：两次归一化 | 各 2D 个 |
| 池化层 | $D \times D$ 加 D 个偏置 |

写 `count_parameters(config)`：

- `config` 是一个 `BertConfig`，尺寸是它的整数属性，写成 `config.hidden_dim` 这样：`vocabulary_size`（V）、`num_layers`（L）、`num_heads`、`hidden_dim`（D）、`intermediate_dim`（F）、`max_sequence_length`（P）、`num_segments`；此外还有一个 `dropout`，与参数个数无关。片段数照 `num_segments` 算，不一定是 2。
- **返回**整数：嵌入、L 个块和池化层的参数总数。预训练用的两个头不算，那是 5b 的事。
- BERT-base 是 109,482,240，BERT-large 是 335,141,888。
"""

# %% [markdown] lang="en"
r"""
A third has become a little over a thousandth: after the norm hardly anything is left of the order of the words. The Transformer may multiply because its sinusoids are large (between −1 and 1) and its token embeddings small. **Another recipe takes another scale.**

## 5a.12 Exercise: where the parameters are

BERT-base has "110 million parameters". How does one count them? No model is needed, the sizes are enough:

| Part | Parameters |
|---|---|
| three tables | D numbers in a row: V rows of tokens, P of positions, 2 of segments |
| the norm of the embeddings | D for $\gamma$ and D for $\beta$ |
| each block: attention | query, key, value and output, four $D \times D$ matrices with D biases each (however many heads) |
| each block: feed-forward | $D \times F$ and F biases, $F \times D$ and D biases |
| each block: two norms | 2D each |
| the pooler | $D \times D$ and D biases |

Write `count_parameters(config)`:

- `config` is a `BertConfig`; the sizes are ints, read as in `config.hidden_dim`: `vocabulary_size` (V), `num_layers` (L), `num_heads`, `hidden_dim` (D), `intermediate_dim` (F), `max_sequence_length` (P), `num_segments`; and there is a `dropout`, which has no parameters. Take the number of segments from `num_segments`; it needn't be 2.
- **Returns** an int: all parameters of the embeddings, the L blocks and the pooler. The two heads of pretraining don't count; they belong to 5b.
- BERT-base has 109,482,240 and BERT-large 335,141,888.
"""

# %% exercise="count_parameters"
from bert_keras.models.presets import count_parameters

# %% check="count_parameters"
check("count_parameters", count_parameters)

# %% [markdown] lang="zh"
r"""
**看一看。** 公开的各种尺寸，参数都花在哪里？图里每根柱子是一种尺寸，加起来都是 1。用你的函数就能拆开算：把 `num_layers` 换成 0，剩下的是嵌入和池化层。**先猜**：词元嵌入的份额，从小到大的模型，是升还是降？在哪种尺寸里，它恰好占四成左右？
"""

# %% [markdown] lang="en"
r"""
**See it.** Where do the published sizes spend their parameters? Each bar is one size and adds up to 1. Your function is all it takes: set `num_layers` to 0, and what is left is the embeddings and the pooler. **Guess**: from small models to large ones, does the share of the token embeddings rise or fall? And in which size is it about 40 %?
"""

# %% tags=["experiment"]
from dataclasses import replace

PARTS = ("token", "position", "attention", "feed_forward", "pooler")
if ready("count_parameters"):
    shares = {}
    for name in ("tiny", "mini", "small", "medium", "base", "large"):
        config = preset(name)
        D, F, L = config.hidden_dim, config.intermediate_dim, config.num_layers
        total, pooler = count_parameters(config), D * D + D
        without_blocks = count_parameters(replace(config, num_layers=0))
        token = config.vocabulary_size * D
        attention = L * 4 * (D * D + D)
        parts = {
            "token": token,
            "position": without_blocks - token - pooler,
            "attention": attention,
            "feed_forward": total - without_blocks - attention,
            "pooler": pooler,
        }
        shares[name] = {part: count / total for part, count in parts.items()}
        say(
            f"{name:6}  L={L:2}  D={D:4}  {total:11,} 个参数，词元嵌入占 {token / total:.0%}",
            f"{name:6}  L={L:2}  D={D:4}  {total:11,} parameters, token embeddings "
            f"{token / total:.0%}",
        )
    on_chart = chart_words(LANG)
    part_words = (
        on_chart("词元嵌入", "tokens"),
        on_chart("位置、片段、归一化", "positions, segments, norm"),
        on_chart("注意力", "attention"),
        on_chart("前馈网络及归一化", "feed-forward and norms"),
        on_chart("池化层", "pooler"),
    )
    hatches = ("", "//", "", "..", "xx")
    with chart(1, width=7.6, height=3.4) as (axis,):
        bottom = np.zeros(len(shares))
        for i, part in enumerate(PARTS):
            heights = np.array([found[part] for found in shares.values()])
            axis.bar(
                list(shares),
                heights,
                bottom=bottom,
                color=COLOURS[i],
                hatch=hatches[i],
                edgecolor="white",  # of the hatches; an edge would hide the thinnest parts
                linewidth=0,
                label=part_words[i],
            )
            bottom += heights
        axis.set(ylabel=on_chart("参数的份额", "share of parameters"), ylim=(0, 1))
        axis.set_axisbelow(True)
        axis.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5), reverse=True)

# %% [markdown] lang="zh"
r"""
tiny 的参数九成在词元嵌入里，large 不到一成；占四成左右的是 medium。原因在公式里：嵌入随 D 增长，块随 $D^2$ 增长，还要乘上层数。位置和片段几乎看不见。每个块里，前馈网络是注意力的两倍（3b 数过）。多语言的 BERT-base 有 119,547 个词元，光词元嵌入就占一半以上。

参数多，不等于算得多：嵌入是查表，一次乘法也不用；时间都花在块里。

## 5a.13 找错练习

下面的 `patient` 把两段文字做成 BERT 的输入，一直做到三张表相加：`patient(first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table)`。它跑得通，可是有**一处**毛病。别的班拿到的毛病可能不一样。

1. 先别盯着代码看，做实验：造一个十来个子词的小词表，表里的数取得好认（比如位置表第 t 行全是 t）。短的、长的、正好放得下的，都试一试；文字里放一个 [MASK]，再放一个切不开的词。一行的长度对吗？最后一个真词元是不是 [SEP]？每个词元从三张表里各取了哪一行？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `segments_from_one` | 片段从 1 数起 |
| `separator_cut_off` | 先拼好再裁，末尾的 [SEP] 没了 |
| `room_for_two` | 两段文字，却只给两个特殊词元留了地方 |
| `mask_split` | 文字里的 [MASK] 被当成普通文字切碎了 |
| `pieces_kept` | 切不开的词，留下了切好的几块，后面才补上 [UNK] |
| `prefix_on_first` | 词首的子词前面也写了 `##` |
| `positions_backwards` | 位置从一行的末尾数起 |
| `scaled_by_root` | 词元嵌入先乘了 $\sqrt{D}$ |

| 参数 | 形式 | 说明 |
|---|---|---|
| `first`、`second` | 字符串 | 两段文字，都有；里面写的 [MASK] 之类的特殊词元是一整个词元 |
| `vocabulary` | 字典 | 子词 → 编号；五个特殊词元 [PAD]、[UNK]、[CLS]、[SEP]、[MASK] 都在里面 |
| `max_sequence_length` | 整数 | 一行的长度 T |
| `token_table`、`position_table` | (V, D)、(P, D) | 浮点数组，P 大于 T |
| `segment_table` | (S, D) | 浮点数组，S ≥ 2；BERT 只用第 0 行和第 1 行 |

**返回** `(token_ids, segment_ids, embedded)`：整数 (T,)，整数 (T,)，浮点 (T, D)，都是 NumPy 数组；放不满就用 [PAD] 填到 T。`embedded` 是三张表的和，还没有归一化；填充处的片段和 `embedded` 不检查。`basic_tokenize`、`wordpiece_tokenize`、`pack_pair`（检查时换成标准答案）、`split_at_specials` 和 `SPECIAL_TOKENS` 都可以用。`split_at_specials(text)` 把文字切成几段，特殊词元各自成一段；它们的名字都在 `SPECIAL_TOKENS` 里。
"""

# %% [markdown] lang="en"
r"""
Nine tenths of tiny are token embeddings, less than one tenth of large; about 40 % it is in medium. The formulas say why: embeddings grow with D, blocks with $D^2$ and with the number of layers besides. Positions and segments can hardly be seen. In every block the feed-forward network has twice as much as attention (you counted that in 3b). The multilingual BERT-base has 119,547 tokens, and more than half of its parameters are their embeddings.

Many parameters don't mean much computation: an embedding is looked up, without one multiplication; time is spent in the blocks.

## 5a.13 Debugging drill

`patient` below makes BERT's input from two texts, up to the sum of the three tables: `patient(first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table)`. It runs, and it has **one** fault. Other classes may get other faults.

1. Don't stare at the code first; experiment: make a small vocabulary of a dozen pieces, and tables with numbers that are easy to recognise (say, row t of the position table is all t). Try texts that are short, long, and just fit; put a [MASK] into one, and a word that can't be cut. Is the row as long as it should be? Is its last real token [SEP]? Which row of each table has every token got?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `segments_from_one` | segments are counted from 1 |
| `separator_cut_off` | put together first and cut afterwards: the last [SEP] is lost |
| `room_for_two` | two texts, but room is kept for two special tokens only |
| `mask_split` | a [MASK] in a text is taken for ordinary text and falls into pieces |
| `pieces_kept` | a word that can't be covered keeps the pieces found so far, and gets [UNK] behind them |
| `prefix_on_first` | the first piece of a word is written with `##`, too |
| `positions_backwards` | positions are counted from the end of the row |
| `scaled_by_root` | the token embedding is multiplied by $\sqrt{D}$ first |

| Argument | Form | Notes |
|---|---|---|
| `first`, `second` | strings | two texts, both there; a special token written in them, such as [MASK], is one whole token |
| `vocabulary` | a dict | piece → id; the five special tokens [PAD], [UNK], [CLS], [SEP] and [MASK] are in it |
| `max_sequence_length` | an int | the length T of the row |
| `token_table`, `position_table` | (V, D), (P, D) | float arrays, P above T |
| `segment_table` | (S, D) | a float array, S ≥ 2; BERT uses rows 0 and 1 only |

**Returns** `(token_ids, segment_ids, embedded)`: ints (T,), ints (T,), floats (T, D), all NumPy arrays; a row that isn't full is filled up with [PAD] to T. `embedded` is the sum of the three tables, before the norm; segments and `embedded` at padding are not looked at. You may use `basic_tokenize`, `wordpiece_tokenize`, `pack_pair` (in the check they are the reference's), `split_at_specials` and `SPECIAL_TOKENS`. `split_at_specials(text)` cuts a text into parts, special tokens being parts of their own; their names are in `SPECIAL_TOKENS`.
"""

# %% exercise="drill_ch05a_inputs"
from drill import patient, suspect, repaired

# %% check="drill_ch05a_inputs"
check("drill_ch05a_inputs", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 5a.14 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）把这一章的后半做成了几层：

- `keras_hub.models.BertTokenizer(vocabulary=..., lowercase=True, strip_accents=True)`：切成子词，编成号。去附加符号要另外说一声，默认不去；还有一处不同，它折小写时连全角标点也折成了半角；
- `keras_hub.layers.MultiSegmentPacker(sequence_length, start_value, end_value, truncate="round_robin")`：拼成一行。`"round_robin"` 轮流给两段留位置，裁出来跟我们的一样；它的另一种 `"waterfall"` 先尽着第一段；
- `BertBackbone`：三张表、归一化、一摞块和池化层。

三样都比一比。（没装 KerasHub 就跳过；第一次导入要几秒到半分钟。）
"""

# %% [markdown] lang="en"
r"""
## 5a.14 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has the second half of this notebook as layers:

- `keras_hub.models.BertTokenizer(vocabulary=..., lowercase=True, strip_accents=True)` cuts into pieces and numbers them. Dropping accents has to be asked for, by default they stay; and when it folds case it also turns full-width marks, as Chinese writes them, into half-width ones;
- `keras_hub.layers.MultiSegmentPacker(sequence_length, start_value, end_value, truncate="round_robin")` makes a row. `"round_robin"` gives room to both texts by turns, which comes to the same as our way of cutting; `"waterfall"`, its other way, serves the first text first;
- `BertBackbone` has the three tables, the norm, the blocks and the pooler.

All three are compared. (Without KerasHub the cell is skipped; the first import takes a few seconds, on a busy computer half a minute.)
"""


# %% tags=["experiment"]
def report(name, agrees, detail=""):
    print(f"{name}  {detail}{'OK' if agrees else '!!'}")


if vocabularies and ready("pack_pair", "BertEmbeddings", "count_parameters"):
    try:
        import keras_hub
    except ImportError:
        keras_hub = None
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
    if keras_hub is not None:
        vocabulary = vocabularies[LANG, 3000]
        tokenizer = keras_hub.models.BertTokenizer(
            vocabulary=list(vocabulary.tokens), lowercase=True, strip_accents=True
        )
        lines = ["Café 在3楼, $5!", "RÉSUMÉ-writing isn't unaffable", example]
        theirs = [np.asarray(tokenizer(line)).tolist() for line in lines]
        yours = [vocabulary.ids(pieces_of(line, vocabulary)) for line in lines]
        report("BertTokenizer", theirs == yours)

        same = True
        for T in (9, 12, 13, 40):
            packer = keras_hub.layers.MultiSegmentPacker(
                sequence_length=T,
                start_value=vocabulary.cls_id,
                end_value=vocabulary.sep_id,
                pad_value=vocabulary.pad_id,
                truncate="round_robin",
            )
            for first, second in ((yours[0], yours[1]), (yours[1], yours[0])):
                token_ids, segment_ids = packer((np.array(first), np.array(second)))
                row = pack_pair(first, second, T, *marks)
                same &= np.asarray(token_ids).tolist() == list(row["token_ids"])
                real = np.array(row["padding_mask"])
                same &= (np.asarray(segment_ids) == np.array(row["segment_ids"]))[real].all()
        report("MultiSegmentPacker", same)

        sizes = {"vocabulary_size": 50, "num_layers": 2, "num_heads": 2, "hidden_dim": 12}
        sizes |= {"intermediate_dim": 20, "max_sequence_length": 11}
        backbone = keras_hub.models.BertBackbone(**sizes)
        config = replace(preset("tiny"), **sizes)
        count = backbone.count_params()
        report("BertBackbone", count == count_parameters(config), f"{count:,} = ")
        layer = BertEmbeddings(50, 12, max_sequence_length=11)
        ids = np.random.default_rng(10).integers(0, 50, (2, 11))
        segments = np.repeat([[0] * 6 + [1] * 5], 2, axis=0)
        layer.build(ids.shape, segments.shape)
        rng = np.random.default_rng(11)
        for mine, other in (
            (layer.token_embedding, backbone.token_embedding),
            (layer.position_embedding, backbone.position_embedding),
            (layer.segment_embedding, backbone.segment_embedding),
            (layer.layer_norm, backbone.embeddings_layer_norm),
        ):
            for weight, other_weight in zip(mine.weights, other.weights):
                numbers = rng.normal(size=weight.shape)
                weight.assign(numbers)
                other_weight.assign(numbers)
        their_output = keras.Model(backbone.input, backbone.embeddings_dropout.output)(
            {"token_ids": ids, "segment_ids": segments, "padding_mask": np.ones_like(ids)}
        )
        gap = np.abs(np.asarray(layer(ids, segments)) - np.asarray(their_output)).max()
        report(either("三张表", "three tables"), gap < 1e-5, f"{gap:.0e}  ")

# %% [markdown] lang="zh"
r"""
## 5a.15 常见误解

先逐句判断，再看数字。

1. BERT-large 有 12 层。
2. 当初随论文发布的有两种尺寸，BERT-Small 是其中之一。
3. [SEP] 是 Special Token（特殊词元）的缩写。
4. BERT 读的是词。
5. 有了片段嵌入，两句话就隔开了，互不影响。
"""

# %% [markdown] lang="en"
r"""
## 5a.15 Myth box

Judge each sentence first, then look at the numbers.

1. BERT-large has 12 layers.
2. Two sizes were released with the paper, and BERT-Small is one of them.
3. [SEP] is short for Special Token.
4. BERT reads words.
5. Segment embeddings keep two sentences apart, so that neither affects the other.
"""

# %% tags=["experiment"]
if ready("count_parameters"):
    for layers in (12, 24):
        count = count_parameters(replace(preset("large"), num_layers=layers))
        say(
            f"（1）large 的宽度，{layers} 层：{count:,} 个参数",
            f"(1) as wide as large, {layers} layers: {count:,} parameters",
        )
    sizes = {name: count_parameters(preset(name)) for name in ("small", "base", "large")}
    print(either("（2）", "(2) ") + "  ".join(f"{name} {count:,}" for name, count in sizes.items()))
if vocabularies:
    cut = Counter()
    for word, times in test_words["en"].items():
        pieces, _ = wordpiece_tokenize(word, vocabularies["en", 10_000])
        cut[min(len(pieces), 4)] += times
    shares = [cut[n] / cut.total() for n in (1, 2, 3, 4)]
    say(
        f"（4）英文新闻，一万个词元的词表：一个词一块的 {shares[0]:.0%}，两块 {shares[1]:.0%}，"
        f"三块 {shares[2]:.1%}，更多 {shares[3]:.1%}",
        f"(4) English news, ten thousand tokens: words of one piece {shares[0]:.0%}, two "
        f"{shares[1]:.0%}, three {shares[2]:.1%}, more {shares[3]:.1%}",
    )

from bert_keras.models.bert import BertBackbone

keras.utils.set_random_seed(12)
small_bert = BertBackbone(30, 2, 2, 16, 32, max_sequence_length=12, dropout=0.0)
ids = np.array([[2, 7, 8, 9, 3, 11, 12, 13, 3]])
inputs = {"token_ids": ids, "segment_ids": np.array([[0] * 5 + [1] * 4])}
inputs["padding_mask"] = np.ones_like(ids, bool)
small_bert(inputs)
for weight in small_bert.weights:  # larger numbers than fresh ones, so that there is a difference
    if weight.path.endswith(("kernel", "embeddings")):
        weight.assign(np.random.default_rng(len(weight.path)).normal(0, 0.4, weight.shape))
before = np.asarray(small_bert(inputs)["sequence_output"])
changed = ids.copy()
changed[0, 6] = 20  # a token of the second text
moved = np.abs(np.asarray(small_bert({**inputs, "token_ids": changed})["sequence_output"]) - before)
say(
    f"（5）换掉第二段的一个词元，第一段各个状态最多变了：{moved[0, :5].max(axis=-1).round(2)}",
    f"(5) one token of the second text is another: states of the first move by up to "
    f"{moved[0, :5].max(axis=-1).round(2)}",
)

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 24 层；只有 12 层的话，一样的宽度只有一亿八千四百万个参数，到不了三亿三千五百万。
2. **错。** 随论文发布的是 **base** 和 **large**（[Devlin 等 2019](https://aclanthology.org/N19-1423/)）。small 这些小尺寸是 2020 年才另外公开的（[Turc 等 2019](https://arxiv.org/abs/1908.08962)）。
3. **错。** 是 separator（分隔符）的头三个字母。[CLS] 是 classification。
4. **半对。** 常用的词一个词一块，BERT 读的确是词；别的都是碎块，中文则是一个一个的字。
5. **错。** 片段嵌入只是往每个词元上加了一个向量；注意力照样两段都看，第一段的每个状态都动了。要隔开，得用掩码。BERT 恰恰不想隔开：两段的关系，正是靠互相看才看得出来。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** It has 24; with 12, a model as wide would have 184 million parameters, far from 335 million.
2. **Wrong.** The paper came with **base** and **large** ([Devlin et al. 2019](https://aclanthology.org/N19-1423/)). Small and the other little ones were added in 2020 ([Turc et al. 2019](https://arxiv.org/abs/1908.08962)).
3. **Wrong.** It is the beginning of *separator*. [CLS] stands for *classification*.
4. **Half true.** Frequent words are one piece each, and then BERT does read words; all others come in fragments, and Chinese comes in characters.
5. **Wrong.** A segment embedding adds one vector to each token; attention looks at both texts all the same, and every state of the first has moved. To keep them apart takes a mask. And BERT doesn't want them apart: how two texts are related only shows when they look at each other.
"""

# %% [markdown] lang="zh" exercise="written_ch05a_inputs"
r"""
## 5a.16 简答题

一位同事说：“何必弄坏输入？让 BERT 把整句话原样吐出来，每个词元都算损失，学到的不是更多吗？我试过，损失很快就到了 0。”

用 150 字左右回答：他的损失能说明模型学到了什么吗？举出本章的两个数字（至少一个是你**自己跑出来的**），说明各是什么意思；再设计一个实验，能分清模型是在照抄，还是懂了一点语言，并说明什么样的结果会让你承认他是对的。

这道题由老师评阅，不计入 44 分。好的回答里有两个数字（各说明什么）、一个实验（动哪里，跟什么比）和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch05a_inputs"
r"""
## 5a.16 Written question

"Why damage the input?" says a colleague. "Let BERT return the whole sentence as it is and take the loss over all tokens; isn't that more to learn from? I tried, and the loss was 0 in no time."

Answer in about 100 words: does his loss show that the model has learnt something? Quote two numbers of this notebook (at least one that **you ran yourself**) and say what each of them means; then design an experiment that tells whether a model copies or knows something of the language, and say which result would make you admit that he is right.

Your teacher reads this one; it is not part of the 44 points. A good answer has two numbers (and what each of them shows), one experiment (what is changed, and compared with what) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 说清重建误差小与“学到东西”是两回事：没训练过的单位矩阵误差就近乎 0；并引用两个数字（如 5a.2 的误差，5a.5 里照抄的网络在打乱的图上、在洞里的误差）。
2. 实验有对照，而且用模型没法照抄的东西来量：比如盖住词元，量盖住的地方的损失，与只看词频的猜法比；或者冻住模型，用隐状态做别的任务，与没训练过的模型比。只看训练损失不算。
3. 事先说清哪种结果支持、哪种结果推翻他的说法。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Tells a small reconstruction error from having learnt something: an untrained identity matrix has almost none; and quotes two numbers (such as the errors of 5a.2, or those of the copying network on shuffled pictures and in holes in 5a.5).
2. The experiment has a control and measures with something that can't be copied: tokens are covered and the loss is taken there, beside a guess by frequency; or the model is frozen and its states are used for another task, beside those of an untrained one. The training loss alone doesn't count.
3. Says beforehand which result would support him and which would refute him.
"""

# %% [markdown] lang="zh"
r"""
## 5a.17 小结：半页带走

**自编码器。** 读进什么，吐出什么。隐藏层够宽，它照抄就行，误差为 0 也说明不了什么。

**去噪自编码器。** 弄坏输入，跟**干净的**比；量本事，只看坏掉的位置：

$$\tilde{x} = \text{corrupt}(x), \qquad L = \frac{1}{|M| D} \sum_{t \in M} \lVert \hat{x}_t - x_t \rVert^2$$

**分词。** 先切成词：汉字、标点自成一词，折小写要先分解。再切成子词：从左往右取最长，一处盖不住，整个词是 [UNK]；不在词首的写上 `##`。

**一行。** [CLS] 第一段 [SEP] 第二段 [SEP]，片段从 0 数起；先裁文字，再加特殊词元。

**嵌入。** 词元 + 位置 + 片段，归一化，dropout；不乘 $\sqrt{D}$：

$$h_0 = \text{LayerNorm}(E[x] + P + S[s])$$

**参数。** base 一亿一千万，large 三亿三千五百万；模型越小，词元嵌入占得越多。
"""

# %% [markdown] lang="en"
r"""
## 5a.17 Half a page to take with you

**Autoencoder.** What goes in comes out. With a wide hidden layer copying is enough, and an error of 0 proves nothing.

**Denoising autoencoder.** Damage the input and compare with the **clean** one; measure skill in damaged places alone:

$$\tilde{x} = \text{corrupt}(x), \qquad L = \frac{1}{|M| D} \sum_{t \in M} \lVert \hat{x}_t - x_t \rVert^2$$

**Tokens.** Words first: Chinese characters and punctuation by themselves; to fold case, decompose first. Then pieces: from the left the longest; if one part isn't covered the whole word is [UNK]; pieces inside a word are written with `##`.

**A row.** [CLS] first [SEP] second [SEP], segments counted from 0; cut the texts, then add the special tokens.

**Embeddings.** Token + position + segment, norm, dropout; no $\sqrt{D}$:

$$h_0 = \text{LayerNorm}(E[x] + P + S[s])$$

**Parameters.** Base 110 million, large 335 million; the smaller the model, the more of it is token embeddings.
"""

# %% [markdown] lang="zh"
r"""
## 5a.18 接下来

输入做好了，也知道为什么要把它弄坏。还差的是：坏哪些词元、怎么坏、怎样让模型补。

- **5b** 掩码语言模型：选出 15%，多数换成 [MASK]，让 BERT 猜原来是什么；再加一道“下一句”的题。
- **5c** 把它们拼成一个训练步，训练一个小 BERT；再把真的参数读进你自己的层。

想读原文：[去噪自编码器](https://www.cs.toronto.edu/~larocheh/publications/icml-2008-denoising-autoencoders.pdf)的第 2 节，就是本章的前半；[BERT 的论文](https://aclanthology.org/N19-1423/)图 2，就是 5a.11 的那张图。
"""

# %% [markdown] lang="en"
r"""
## 5a.18 Where next

The input is ready, and you know why it has to be damaged. What is missing: which tokens, how, and how a model is made to mend them.

- **5b** is the masked language model: choose 15 % of the tokens, replace most of them by [MASK], and let BERT guess what they were; and a question about the next sentence.
- **5c** makes a step of training out of all that, trains a small BERT, and reads real weights into your own layers.

For the sources: section 2 of [the denoising autoencoder](https://www.cs.toronto.edu/~larocheh/publications/icml-2008-denoising-autoencoders.pdf) is the first half of this notebook, and figure 2 of [the paper on BERT](https://aclanthology.org/N19-1423/) is the picture of 5a.11.
"""
