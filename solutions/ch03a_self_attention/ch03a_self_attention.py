# %% [markdown] lang="zh"
r"""
# 3a 自注意力

> 那只动物没有穿过那条街道，因为**它**太累了。
>
> 那只动物没有穿过那条街道，因为**它**太宽了。

只换了一个字，“它”就从动物变成了街道。一个模型要读懂这两句话，就得让“它”回头看看整句话：该看谁，看多少，还要随句子而变。做到这件事的那一层叫**自注意力**（self-attention），BERT 的每一层都以它为核心。这一章里，你会一个函数一个函数地把它写出来，再用自己写的层训练一个小模型，看看每个头究竟在看什么，又有哪些是看图看不出来的。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `scaled_dot_product` | 6 | 25 | 核心 | 除以 $\sqrt{H}$；布尔掩码（mask），`True` = 可以看；在 softmax 之前遮 | 手算的三个词 |
| `selective_mask` | 3 | 8 | 核心 | 没被点名的查询（query）不受限制 | 手写的连线 |
| `causal_mask` | 3 | 6 | 核心 | 对角线是 `True` | 指代句 |
| `combine_masks` | 4 | 8 | 核心 | 填充掩码（padding mask）遮的是键（key），也就是列 | 长短不一的指代句 |
| `split_heads` | 3 | 8 | 核心 | 第 n 个头（head）拿第 n 段特征 | 看得出位置的数字 |
| `merge_heads` | 2 | 5 | 加分 | `split_heads` 的逆 | 同上 |
| `MultiHeadAttention` | 8 | 30 | 核心 | 总是返回（输出，权重） | 检查用随机张量；指代语料留给实验 |
| `attention_flops` | 3 | 8 | 核心 | 一次乘法或一次加法算 1 FLOP | 公式 |
| `drill_ch03a_self_attention` | 4 | 12 | 核心 | 同 `scaled_dot_product` | 一段带病的代码 |
| `capstone_self_attention` | 4 | 8 | 核心 | 只用你自己写的零件 | 随机张量 |
| `written_ch03a_self_attention` | 0 | 12 | 核心 | 老师评阅，不计入 38 分 | 本章的图和数字 |

核心练习 38 分，加分题 2 分。只做练习大约两小时，连同实验大约三小时；建议分两次做，3a.7 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格，后面的单元格要用到前面的结果。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数，所以在这里通过的，交上去也通过。
"""

# %% [markdown] lang="en"
r"""
# 3a Self-attention

> The animal didn't cross the street because **it** was too tired.
>
> The animal didn't cross the street because **it** was too wide.

One word changes, and *it* jumps from the animal to the street. A model that understands both sentences must let *it* look over the whole sentence: at which words, and how hard, has to depend on the sentence itself. The layer that does this is **self-attention**, and every layer of BERT is built around it. In this notebook you write it, function by function, then train a small model on your own layer and look at what each head looks at, and at what no picture of it will tell you.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `scaled_dot_product` | 6 | 25 | core | divide by $\sqrt{H}$; boolean mask, `True` = may look; mask before the softmax | three words by hand |
| `selective_mask` | 3 | 8 | core | a query without a link is unrestricted | links written by hand |
| `causal_mask` | 3 | 6 | core | the diagonal is `True` | referent sentences |
| `combine_masks` | 4 | 8 | core | padding closes keys, that is, columns | referent sentences of several lengths |
| `split_heads` | 3 | 8 | core | head n gets the n-th block of features | digits that show where they came from |
| `merge_heads` | 2 | 5 | stretch | the inverse of `split_heads` | the same |
| `MultiHeadAttention` | 8 | 30 | core | always returns (output, weights) | random tensors in the check; the referent corpus is for the experiment |
| `attention_flops` | 3 | 8 | core | one multiplication or one addition is 1 FLOP | a formula |
| `drill_ch03a_self_attention` | 4 | 12 | core | as in `scaled_dot_product` | a sick piece of code |
| `capstone_self_attention` | 4 | 8 | core | your own pieces only | random tensors |
| `written_ch03a_self_attention` | 0 | 12 | core | read by your teacher, not part of the 38 points | the pictures and numbers of this notebook |

38 core points and 2 to stretch for. The exercises take about two hours, with the experiments about three; better do it in two sittings, and just before 3a.7 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**, because later cells use what earlier ones made. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers, so what passes here passes there.
"""

# %%
import math

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.attention import attention_map, query_rows
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.analysis.weights import equivalent_weights
from bert_keras.text.corpora import referent

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 3a.1 “它”是谁？

先当一回模型。下面几句话的最后一个形容词被挖掉了，你能说出“它”指什么吗？
"""

# %% [markdown] lang="en"
r"""
## 3a.1 Who is "it"?

Be the model for a moment. In these sentences the last adjective is blanked out. Can you say what *it* means?
"""

# %% tags=["experiment"]
tired, wide = referent.example(LANG)
separator = "" if LANG == "zh" else " "
for sentence in referent.load(LANG, 400, seed=2)[:5]:
    words = [*sentence.tokens]
    words[sentence.adjective] = "____"
    print(separator.join(words))
print()
for sentence in (tired, wide):
    print(sentence.text(), "→", sentence.tokens[sentence.referent])

# %% [markdown] lang="zh"
r"""
挖掉那个词，谁也说不准；补上那个词，一读就明白。这些句子是程序造的，所以每一句的正确答案我们都知道；有些读起来有点傻，没关系。造的时候做了平衡：没有哪一个词单独就能泄露答案，在含有某个词的句子里，“它”指第一个名词和指第二个名词的一样多。（两个词合起来就未必了，到 3a.9 再想想这一点。）不信就数一数：
"""

# %% [markdown] lang="en"
r"""
Without that word nobody can tell; with it, anybody can. A program makes these sentences, so we know the right answer to each, and some of them are a bit silly; never mind. They are balanced: no single word gives the answer away; among the sentences that contain a given word, first and second noun are equally frequent. (Two words together may decide: keep that in mind for 3a.9.) Don't take our word for it, count:
"""

# %% tags=["experiment"]
first_noun = {}
for sentence in referent.load(LANG, 4000):
    for word in set(sentence.tokens):
        first_noun.setdefault(word, []).append(sentence.label == 0)
shares = [np.mean(found) for found in first_noun.values()]
say(
    f"{len(shares)} 个词；含有某个词的句子里，指第一个名词的比例："
    f"最小 {min(shares):.1%}，最大 {max(shares):.1%}",
    f"{len(shares)} words; share of 'first noun' among the sentences with a given word: "
    f"lowest {min(shares):.1%}, highest {max(shares):.1%}",
)

# %% [markdown] lang="zh"
r"""
给每个词配一个固定的向量，也帮不上忙：“它”在两句话里是同一个向量。循环神经网络（RNN）倒是能把信息一路传过来，可是要一步一步传，路越长丢得越多。自注意力的办法更直接：**每个词都可以一步就看到任何一个词，看多少由两个词的内容决定。**
"""

# %% [markdown] lang="en"
r"""
A table with one vector per word doesn't help either: *it* is the same vector in both sentences. A recurrent network can carry the news along, but step by step, losing more the longer the road. Self-attention is more direct: **every word can reach any other word in one step, and how much it takes from there depends on what the two words say.**
"""

# %% [markdown] lang="zh"
r"""
## 3a.2 一个查询，用手算

每个词拿出三个向量，各有各的用处：

- **查询**（query）$q$：我在找什么？
- **键**（key）$k$：我能回答什么样的问题？
- **值**（value）$v$：真找上我，我交出什么？

这三个向量都是用词的向量乘上一个矩阵得来的，三个矩阵各不相同，由训练决定，3a.8 会写到；这里先当作已知。另外约定几个说法：“词”就是词元（token），填充也占一个；“看”就是注意（attend）；一个键对某个查询“关上”，就是被遮住（masked），那个查询不许看它。

“它”拿着查询 $q = (2, 0, 1, 1)$ 去问三个词。查询和键的点积（dot product）叫**分数**（score），分数越大，两者越对得上：

| 键 | $q \cdot k$ | 除以 $\sqrt{4}$ | softmax 之后的权重（weight） | 值 |
|---|---|---|---|---|
| 动物 $(1, 0, 1, 1)$ | 4 | 2 | 0.665 | $(10, 0)$ |
| 街道 $(1, 3, 0, 0)$ | 2 | 1 | 0.245 | $(0, 10)$ |
| 累 $(0, 1, 1, -1)$ | 0 | 0 | 0.090 | $(5, 5)$ |

输出就是值的加权和：$0.665 \cdot (10, 0) + 0.245 \cdot (0, 10) + 0.090 \cdot (5, 5) = (7.10, 2.90)$。它大半是动物，带一点街道。请拿起笔，至少把“街道”那一行自己算一遍：$e^1 / (e^2 + e^1 + e^0) = 2.718 / 11.107$。

真正的模型里，每个词都同时在问。把 $T$ 个查询叠成矩阵 $Q$，把 $S$ 个键和值叠成 $K$、$V$，上面的整张表就是一行：

$$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{H}}\right) V$$

形状先在纸上走一遍（`...` 是批次（batch）、头这些“前面的轴”，有几个都行）：

```text
query (..., T, H)    key (..., S, H)
        └──────┬──────────┘
          Q Kᵀ / √H
               │
      scores (..., T, S)
               │ softmax over S
     weights (..., T, S)    value (..., S, V)
               └─────┬────────────┘
             output (..., T, V)
```

两个要点：

- 权重矩阵的每一**行**属于一个查询，每一行的和是 1。
- $H$ 是一个键有多少个分量，相乘以后它就消失了；$V$ 是一个值有多少个分量，不必等于 $H$。
"""

# %% [markdown] lang="en"
r"""
## 3a.2 One query, by hand

Every word brings three vectors, each with a job of its own:

- the **query** $q$: what am I looking for?
- the **key** $k$: what kind of question can I answer?
- the **value** $v$: what do I hand over when asked?

Each of the three is the word's vector times a matrix of its own, and training finds the matrices: that is 3a.8; here we take the vectors as given. A note on terms: a *word* here is a token (a pad counts as one, too), *may look at* means may attend to, and a key *closed* to a query is masked for it: that query may not look at it.

*it* takes its query $q = (2, 0, 1, 1)$ to three words. The dot product of query and key is the **score**; the larger it is, the better the two fit:

| Key | $q \cdot k$ | divided by $\sqrt{4}$ | weight after the softmax | Value |
|---|---|---|---|---|
| animal $(1, 0, 1, 1)$ | 4 | 2 | 0.665 | $(10, 0)$ |
| street $(1, 3, 0, 0)$ | 2 | 1 | 0.245 | $(0, 10)$ |
| tired $(0, 1, 1, -1)$ | 0 | 0 | 0.090 | $(5, 5)$ |

The output is the weighted sum of the values: $0.665 \cdot (10, 0) + 0.245 \cdot (0, 10) + 0.090 \cdot (5, 5) = (7.10, 2.90)$. Mostly animal, with a little street. Take a pencil and do at least the line of "street" yourself: $e^1 / (e^2 + e^1 + e^0) = 2.718 / 11.107$.

In a real model every word asks at the same time. Stack $T$ queries into a matrix $Q$, and $S$ keys and values into $K$ and $V$, and the whole table becomes one line:

$$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{H}}\right) V$$

Walk through the shapes on paper first (`...` are the axes in front, such as batch and heads, as many as there are):

```text
query (..., T, H)    key (..., S, H)
        └──────┬──────────┘
          Q Kᵀ / √H
               │
      scores (..., T, S)
               │ softmax over S
     weights (..., T, S)    value (..., S, V)
               └─────┬────────────┘
             output (..., T, V)
```

Two things to keep:

- Each **row** of the weights belongs to one query and sums to 1.
- $H$, the size of a key, disappears in the product; $V$, the size of a value, need not equal $H$.
"""

# %%
HAND_QUERY = tensor([[2, 0, 1, 1]])  # (T=1, H=4)
HAND_KEY = tensor([[1, 0, 1, 1], [1, 3, 0, 0], [0, 1, 1, -1]])  # (S=3, H=4)
HAND_VALUE = tensor([[10, 0], [0, 10], [5, 5]])  # (S=3, V=2)

# %% [markdown] lang="zh"
r"""
## 3a.3 练习：缩放点积注意力（scaled dot-product attention）

写 `scaled_dot_product(query, key, value, mask=None, dropout=None)`。

| 参数 | 形状 | 说明 |
|---|---|---|
| `query` | (..., T, H) | 浮点 |
| `key` | (..., S, H) | 浮点；S 可以不等于 T |
| `value` | (..., S, V) | 浮点；V 可以不等于 H |
| `mask` | 能广播到 (..., T, S) | 布尔，`True` = 可以看；`None` = 谁都可以看 |
| `dropout` | 可调用对象或 `None` | 权重去乘值之前先经过它 |

- **返回**一对 `(output, weights)`：形状 (..., T, V) 和 (..., T, S)，dtype 与 `query` 相同。`weights` 是 dropout **之前**的。
- **缩放**：除以 $\sqrt{H}$，$H$ 是 `query` 最后一轴的大小。
- **掩码**：不让看的分数，在 softmax **之前**换成一个绝对值很大的负数。用 `-3e4`：softmax 之后这一格就是 0，而 float16 也装得下。`-1e9` 到了 float16 里会变成负无穷，整行都关上时，softmax 就给出 NaN。（检查用的是 float32，查不到这一点。）
- 如果某个查询一个键都不许看，结果是什么数都行，只要有限：不能是 NaN 或无穷。
- 不需要自己检查参数；形状对不上时，让 Keras 报错就好。只用 `ops` 里的基本运算，别调用现成的注意力函数。
"""

# %% [markdown] lang="en"
r"""
## 3a.3 Exercise: scaled dot-product attention

Write `scaled_dot_product(query, key, value, mask=None, dropout=None)`.

| Argument | Shape | Notes |
|---|---|---|
| `query` | (..., T, H) | float |
| `key` | (..., S, H) | float; S may differ from T |
| `value` | (..., S, V) | float; V may differ from H |
| `mask` | broadcasts to (..., T, S) | bool, `True` = may look; `None` = everyone may look at everything |
| `dropout` | a callable or `None` | the weights go through it on their way to the values |

- **Returns** the pair `(output, weights)`: shapes (..., T, V) and (..., T, S), dtype of `query`. `weights` are those **before** dropout.
- **Scale**: divide by $\sqrt{H}$, where $H$ is the size of the last axis of `query`.
- **Mask**: scores of closed keys are replaced by a large negative number **before** the softmax. Take `-3e4`: after the softmax that cell is 0, and float16 can hold the number. In float16 `-1e9` becomes minus infinity, and where a whole row is closed the softmax makes it NaN. (The check runs in float32 and doesn't test this.)
- If a query may look at no key at all, any finite numbers will do, but never NaN or infinity.
- You needn't check the arguments; when shapes don't fit, let Keras complain. Use the basic operations in `ops`, not a ready-made attention function.
"""

# %% exercise="scaled_dot_product"
from bert_keras.layers.attention import scaled_dot_product

# %% check="scaled_dot_product"
check("scaled_dot_product", scaled_dot_product)

# %% [markdown] lang="zh"
r"""
**看一看。** 先跟手算的那张表对一对。再把同一个查询放大到 2 倍、8 倍：方向没变，权重变了吗？（图里每一格写的是百分之几；不到 5% 的格子不写数字。以后的图都是这样。）
"""

# %% [markdown] lang="en"
r"""
**See it.** First compare with the table you did by hand. Then make the same query 2 and 8 times as long: its direction is the same; are the weights? (Numbers in the cells are percent; cells below 5 % carry none. All later pictures do the same.)
"""

# %% tags=["experiment"]
if ready("scaled_dot_product"):
    longer = ops.concatenate([HAND_QUERY, 2 * HAND_QUERY, 8 * HAND_QUERY])
    hand_output, hand_weights = scaled_dot_product(longer, HAND_KEY, HAND_VALUE)
    print(np.round(hand_weights, 3))
    print(np.round(hand_output, 2))
    hand_words = [tired.tokens[t] for t in (*tired.nouns, tired.adjective)]
    display(attention_map(["q", "2q", "8q"], hand_weights, hand_words))

# %% [markdown] lang="zh"
r"""
**想一想。** softmax 只认分数的**差**，把查询放大，差也跟着放大，于是赢家通吃。那么，要是点积因为别的缘故一开始就很大，会怎样？

### 为什么要除以 √H：先说预测，再量

设 $q$ 和 $k$ 的每个分量都是独立的，均值 0，方差 1。那么 $q \cdot k = \sum_i q_i k_i$ 是 $H$ 个均值 0、方差 1 的数之和，方差是 $H$。于是：

1. 不缩放，分数的方差约等于 $H$；缩放后约等于 1，与 $H$ 无关。
2. 不缩放，$H$ 越大，权重越集中在一个键上，熵（entropy）越接近 0；缩放后熵不变。
3. softmax 尖到几乎非 0 即 1 时，几乎没有梯度能传回分数。不缩放，$H$ 大了以后梯度会越来越小；缩放后不变。

第 3 条的“梯度”指雅可比矩阵 $\partial w_i / \partial s_j = w_i (\delta_{ij} - w_j)$ 的 Frobenius 范数。把各项平方加起来，就得到代码里用的算式：

$$\lVert J \rVert_F^2 = \sum_i w_i^2 - 2 \sum_i w_i^3 + \Big(\sum_i w_i^2\Big)^2$$

下面用你自己的函数来量。它总会除以 $\sqrt{H}$，所以想看“不缩放”，先把查询乘上 $\sqrt{H}$ 抵消掉。
"""

# %% [markdown] lang="en"
r"""
**Think.** The softmax only sees **differences** of scores; a longer query stretches the differences, and the winner takes all. So what happens when dot products are large to begin with, for some other reason?

### Why divide by √H: predict first, then measure

Let every component of $q$ and $k$ be independent with mean 0 and variance 1. Then $q \cdot k = \sum_i q_i k_i$ is a sum of $H$ numbers of mean 0 and variance 1, and its variance is $H$. Therefore:

1. Unscaled, the variance of the scores is about $H$; scaled, it is about 1 whatever $H$ is.
2. Unscaled, the larger $H$, the more the weights pile up on one key, and their entropy sinks towards 0; scaled, it stays where it is.
3. A softmax that is nearly all-or-nothing lets hardly any gradient back to the scores. Unscaled, it dwindles once $H$ is large; scaled, it stays.

"Gradient" in 3 is the Frobenius norm of the Jacobian $\partial w_i / \partial s_j = w_i (\delta_{ij} - w_j)$. Squaring its entries and adding them up gives the expression in the code:

$$\lVert J \rVert_F^2 = \sum_i w_i^2 - 2 \sum_i w_i^3 + \Big(\sum_i w_i^2\Big)^2$$

We measure with your own function. It always divides by $\sqrt{H}$, so to see "unscaled" we multiply the query by $\sqrt{H}$ beforehand.
"""

# %% tags=["experiment"]
if ready("scaled_dot_product"):
    rng = np.random.default_rng(0)
    key_sizes = [4, 8, 16, 32, 64, 128, 256, 512]
    measured = {}  # (scaled, what) -> one number per key size
    for size in key_sizes:
        q, k = rng.normal(size=(400, size)), rng.normal(size=(32, size))
        for scaled in (True, False):
            undo = 1.0 if scaled else math.sqrt(size)
            _, w = scaled_dot_product(tensor(q * undo), tensor(k), tensor(k))
            w = np.asarray(w, "float64")
            squares = np.sum(w**2, axis=-1)
            numbers = {
                "variance": np.var(q @ k.T * undo / math.sqrt(size)),
                "entropy": np.mean(-np.sum(w * np.log(w + 1e-300), axis=-1)),
                "gradient": np.mean(
                    np.sqrt(np.maximum(squares - 2 * np.sum(w**3, axis=-1) + squares**2, 0))
                ),
            }
            for what, number in numbers.items():
                measured.setdefault((scaled, what), []).append(number)

    words = chart_words(LANG)
    titles = {
        "variance": words("分数的方差", "variance of the scores"),
        "entropy": words("权重的熵（奈特）", "entropy of the weights (nats)"),
        "gradient": words("传回分数的梯度", "gradient back to the scores"),
    }
    labels = {True: words("除以 √H", "divided by √H"), False: words("不缩放", "unscaled")}
    with chart(3) as axes:
        for axis, (what, title) in zip(axes, titles.items()):
            for i, scaled in enumerate((True, False)):
                axis.plot(
                    key_sizes,
                    measured[scaled, what],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    label=labels[scaled],
                )
            axis.set(title=title, xlabel="H", xscale="log")
            axis.set_xticks(key_sizes, [str(size) for size in key_sizes], fontsize=8)
            axis.minorticks_off()
        axes[0].set_yscale("log")
        axes[1].set_ylim(0, math.log(32) * 1.05)
        axes[2].set_ylim(0, None)
        axes[0].legend(frameon=False)

    named = {"variance": text("方差", "variance")}
    named |= {"entropy": text("熵　", "entropy "), "gradient": text("梯度", "gradient")}
    for what, name in named.items():
        for scaled in (True, False):
            kind = text("除以 √H", "/ sqrt(H)") if scaled else text("不缩放 ", "unscaled ")
            numbers = zip(key_sizes, measured[scaled, what])
            print(f"{name}  {kind}  " + "  ".join(f"H={h}: {m:.3g}" for h, m in numbers))

# %% [markdown] lang="zh"
r"""
前两条应验了。第三条要打个折扣：$H$ 在 4 到 16 时，不缩放的梯度反而略大一些，因为 softmax 还没有饱和（saturated，也就是权重几乎全给了一个键）；到 32 左右两者持平，再往后才一路走低。真实模型的 $H$ 多半是 64 以上，正好在吃亏的那一段。

注意前提：“方差 1”说的是**刚初始化**、分量独立的时候。训练会把查询和键往有用的方向推，分数想多大就可以多大；除以 $\sqrt{H}$ 只是让起点不至于一开始就陷进饱和区。

<details><summary>想一想：缩放后的分数服从“标准正态”吗？（先猜，本章末尾的“常见误解”会量）</summary>

均值 0、方差 1 不等于正态，更不等于相互独立。
</details>
"""

# %% [markdown] lang="en"
r"""
The first two came true. The third needs a correction: for $H$ from 4 to 16 the unscaled gradient is even a bit larger, because the softmax isn't saturated yet (saturated: nearly all the weight on one key); around 32 the two are equal, and only beyond that does it dwindle. Real models mostly have $H$ of 64 and more, well inside the bad part.

Mind the premise: "variance 1" holds **at initialisation**, for independent components. Training pushes queries and keys wherever it is useful, and scores may grow as large as they like; dividing by $\sqrt{H}$ only keeps the start out of the saturated region.

<details><summary>Think: are the scaled scores "standard normal"? (Guess first; the myth box at the end measures it.)</summary>

Mean 0 and variance 1 don't make a normal distribution, let alone independence.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3a.4 练习：让 b1 只看 a1

经常有人问：“我有两串东西，a0…a3 和 b0…b2，我想让 b1 **只**看 a1，别的照旧。怎么做？”

最容易想到的三个办法里，两个是错的。设 b1 对 a0…a3 的分数是 $(-2, -1, -3, -1)$：

| 办法 | b1 的权重 | 问题 |
|---|---|---|
| 把不许看的分数乘以 0 | $(0.30, 0.11, 0.30, 0.30)$ | 分数 0 并不低：$e^0 = 1$，反而压过了 a1 |
| softmax 之后把权重清零 | $(0, 0.40, 0, 0)$ | 和不是 1，b1 拿到的值缩水了 |
| softmax 之前换成很大的负数 | $(0, 1, 0, 0)$ | 没有问题 |

第三个办法你已经写好了，只缺一张布尔的表来告诉它谁可以看谁。写 `selective_mask(links, query_length, key_length)`：

- `links`：一串（查询位置，键位置）的整数对，从 0 数起，例如 `[(1, 1)]` 就是“让 b1 只看 a1”。
- 在 `links` 里出现过的查询，只能看跟它连着的键；同一个查询连了几次，就可以看那几个键。没出现过的查询，什么键都可以看。
- `query_length`、`key_length`：整数 T 和 S。
- **返回**布尔张量，形状 (T, S)；NumPy 的布尔数组也行。位置都小于各自的长度；`links` 为空时处处是 `True`。
"""

# %% [markdown] lang="en"
r"""
## 3a.4 Exercise: let b1 look at a1 only

A question that keeps coming up: "I have two sequences, a0…a3 and b0…b2, and I want b1 to look at a1 **only**, and everything else as before. How?"

Of the three ideas that come first, two are wrong. Let the scores of b1 for a0…a3 be $(-2, -1, -3, -1)$:

| Idea | Weights of b1 | Trouble |
|---|---|---|
| multiply the forbidden scores by 0 | $(0.30, 0.11, 0.30, 0.30)$ | a score of 0 isn't low: $e^0 = 1$ beats even a1 |
| set weights to zero after the softmax | $(0, 0.40, 0, 0)$ | the sum isn't 1: b1 gets shrunken values |
| replace scores by a large negative number before the softmax | $(0, 1, 0, 0)$ | none |

You have already written the third; all it lacks is a boolean table that says who may look at whom. Write `selective_mask(links, query_length, key_length)`:

- `links`: a sequence of pairs of ints (query position, key position), counted from 0; `[(1, 1)]` says "let b1 look at a1 only".
- A query that occurs in `links` may look only at the keys it is linked to; with several links it may look at each of those keys. A query that doesn't occur may look at every key.
- `query_length`, `key_length`: the ints T and S.
- **Returns** a bool tensor of shape (T, S); a NumPy bool array is fine too. All positions are smaller than their lengths; with empty `links` everything is `True`.
"""

# %% exercise="selective_mask"
from bert_keras.layers.masks import selective_mask

# %% check="selective_mask"
check("selective_mask", selective_mask)

# %% [markdown] lang="zh"
r"""
**看一看。** 打叉的格子是不许看的。上图没有掩码，下图让 b1 只看 a1：b1 那一行全给了 a1，b0 和 b2 一点都没动。
"""

# %% [markdown] lang="en"
r"""
**See it.** Crossed cells may not be looked at. Above there is no mask, below b1 looks at a1 only: the whole row of b1 goes to a1, and b0 and b2 don't move at all.
"""

# %% tags=["experiment"]
if ready("scaled_dot_product", "selective_mask"):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(4, 6)), rng.normal(size=(3, 6))
    a_names, b_names = ["a0", "a1", "a2", "a3"], ["b0", "b1", "b2"]
    only_a1 = selective_mask([(1, 1)], 3, 4)
    _, free = scaled_dot_product(tensor(b), tensor(a), tensor(a))
    _, linked = scaled_dot_product(tensor(b), tensor(a), tensor(a), mask=only_a1)
    display(attention_map(b_names, free, a_names))
    display(attention_map(b_names, linked, a_names, mask=only_a1))

# %% [markdown] lang="zh"
r"""
**用一用。** 把上面的 `[(1, 1)]` 换成 `[(1, 1), (1, 3), (2, 0)]`，先说出图会怎么变，再运行。

<details><summary>想一想：怎样让 b1 看“除了 a1 以外”的键？</summary>

把 b1 和其余每个键都连上；或者直接把布尔表里那一格改成 `False`：掩码只是一张表，不必都出自同一个函数。3a.9 里我们就会这么做。
</details>
"""

# %% [markdown] lang="en"
r"""
**Use it.** Replace `[(1, 1)]` above by `[(1, 1), (1, 3), (2, 0)]`; say how the picture will change, then run it.

<details><summary>Think: how do you let b1 look at everything <i>but</i> a1?</summary>

Link b1 to every other key; or set that one cell of the boolean table to `False` yourself: a mask is only a table, and needn't come from one particular function. In 3a.9 we do just that.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3a.5 练习：不许偷看后面

一个从左到右写字的模型，在第 t 个位置要猜第 t+1 个词。如果它能看见后面，答案就摆在眼前了。于是第 t 个查询只许看第 0 到第 t 个键，这就是**因果掩码**（causal mask）。

写 `causal_mask(length)`：

- `length`：整数 T。
- **返回**布尔张量（NumPy 的布尔数组也行），形状 (T, T)，`True` = 可以看。第 t 行在第 0…t 列是 `True`，**对角线也是**：每个词看得到自己。

对角线为什么必须是 `True`？看第 0 行：遮掉对角线，第一个词就一个键也没有了。
"""

# %% [markdown] lang="en"
r"""
## 3a.5 Exercise: no peeking ahead

A model that writes from left to right has to guess word t+1 at position t. If it could look ahead, the answer would lie in front of it. So query t may look at keys 0 to t only: that is the **causal mask**.

Write `causal_mask(length)`:

- `length`: the int T.
- **Returns** a bool tensor (a NumPy bool array is fine too) of shape (T, T), `True` = may look. Row t is `True` in columns 0…t, **the diagonal included**: every word sees itself.

Why must the diagonal be `True`? Look at row 0: without it, the first word has no key at all.
"""

# %% exercise="causal_mask"
from bert_keras.layers.masks import causal_mask

# %% check="causal_mask"
check("causal_mask", causal_mask)

# %% [markdown] lang="zh"
r"""
**看一看。** 每个词先随便给一个随机向量。只换最后那个形容词，“它”那一行的输出会变吗？分别在有和没有因果掩码时量一量。
"""

# %% [markdown] lang="en"
r"""
**See it.** Give every word some random vector. Change only the last adjective: does the output at *it* change? Measure it with and without the causal mask.
"""

# %% tags=["experiment"]
if ready("scaled_dot_product", "causal_mask"):
    rng = np.random.default_rng(2)
    vectors = {word: rng.normal(size=8) for word in referent.vocabulary(LANG)}
    causal = causal_mask(len(tired.tokens))
    free_output, causal_output = {}, {}
    for sentence in (tired, wide):
        embedded = tensor([vectors[word] for word in sentence.tokens])  # (T, 8)
        free_output[sentence], free_weights = scaled_dot_product(embedded, embedded, embedded)
        causal_output[sentence], causal_weights = scaled_dot_product(
            embedded, embedded, embedded, mask=causal
        )
        look = np.asarray(free_weights)[sentence.pronoun, [sentence.pronoun, sentence.adjective]]
        adjective = sentence.tokens[sentence.adjective]
        say(
            f"谁都能看：“它”把 {look[0]:.0%} 的权重给自己，{look[1]:.0%} 给“{adjective}”",
            f"all visible: 'it' gives {look[0]:.0%} of its weight to itself, "
            f"{look[1]:.0%} to '{adjective}'",
        )
    display(attention_map(wide.tokens, causal_weights, mask=causal))
    for kind, outputs in (
        (text("谁都能看", "all visible"), free_output),
        (text("因果掩码", "causal mask"), causal_output),
    ):
        change = np.abs(outputs[tired] - outputs[wide])[tired.pronoun].max()
        say(
            f"{kind}：“它”的输出最多变了 {change:.2g}",
            f"{kind}: the output at 'it' moves by {change:.2g} at most",
        )

# %% [markdown] lang="zh"
r"""
有因果掩码时，变化是 0，一丝不差：读到“它”的时候，形容词还没出现。没有掩码时，输出变了；变多少，看“它”碰巧给了形容词多少权重（图上方的前两行）。向量是随机的，还没有训练过，所以不要指望“它”会特别留意形容词。从左到右的模型（GPT）在这个位置**不可能**知道答案，要等读到后面的词再补；能同时看两边的模型（BERT）就可以。这正是后面几章要讲的分岔。

<details><summary>想一想：叠两层带因果掩码的注意力，第二层会不会把“未来”漏过来？</summary>

不会。第一层第 t 个位置的输出只含 0…t 的信息，第二层第 t 个位置又只看 0…t 的输出。归纳下去，叠多少层都一样。
</details>
"""

# %% [markdown] lang="en"
r"""
With the causal mask the change is 0 to the last digit: when *it* is read, the adjective hasn't come yet. Without it the output moves, and by how much depends on the weight that *it* happens to give the adjective (first two lines above the picture). The vectors are random, nothing is trained yet, so don't expect *it* to care about adjectives. A left-to-right model (GPT) **cannot** know the answer at this position and has to make up for it at later words; a model that looks both ways (BERT) can. That is the fork the next chapters are about.

<details><summary>Think: with two layers of causal attention on top of each other, does the second leak the future?</summary>

No. The output of layer one at position t holds only 0…t, and layer two at position t looks only at outputs 0…t. By induction, any number of layers is safe.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3a.6 练习：把掩码合起来

一批句子有长有短，短的要补上填充（padding，写作 `[PAD]`）才能装进一个张量。填充不是词，谁也不该看它。所以一个键能不能看，要同时过两关：**它是真的词**，**并且**这个查询可以看它。

写 `combine_masks(padding_mask, attention_mask)`：

- `padding_mask`：布尔，形状 (B, S)，真词处是 `True`。它说的是**键**，也就是每张表的**列**。
- `attention_mask`：布尔，形状 (T, S)（所有句子共用一张表）或 (B, T, S)（每句一张）。
- **返回**布尔张量，形状 (B, T, S)：两关都过才是 `True`。
- 填充位置的**行**不用管：它们也会算出点什么，但没有人去读。
- 训练时，一批有几句要到运行时才知道，`padding_mask.shape[0]` 可能是 `None`，不能拿它去算形状。让广播去对齐；真要用批次大小，就在 `ops.reshape` 里写 `-1`，或者用 `ops.shape`。同样的缘故，这里请用 `ops` 里的运算，不要用 NumPy。

在纸上写一写形状：(B, S) 和 (T, S) 要怎样对齐？注意 B 和 T 碰巧相等时，写错了也不会报错。
"""

# %% [markdown] lang="en"
r"""
## 3a.6 Exercise: combining masks

Sentences in a batch differ in length; the short ones are filled up with padding (written `[PAD]`) to fit into one tensor. A pad isn't a word, and nobody should look at it. So a key has to pass two gates: it **is a real word**, **and** this query may look at it.

Write `combine_masks(padding_mask, attention_mask)`:

- `padding_mask`: bool of shape (B, S), `True` at real words. It speaks about **keys**, that is, about the **columns** of each table.
- `attention_mask`: bool of shape (T, S) (one table for all sentences) or (B, T, S) (one each).
- **Returns** a bool tensor of shape (B, T, S): `True` only where both gates are open.
- Leave the **rows** of the pads alone: something is computed there, and nobody reads it.
- In training, how many sentences are in a batch is known only at run time: `padding_mask.shape[0]` may be `None`, and no shape can be computed from it. Let broadcasting line things up; if you do need the batch size, write `-1` for it in `ops.reshape`, or use `ops.shape`. For the same reason use operations from `ops` here, not NumPy.

Write the shapes on paper: how do (B, S) and (T, S) have to be lined up? Beware: when B and T happen to be equal, the wrong way raises no error.
"""

# %% exercise="combine_masks"
from bert_keras.layers.masks import combine_masks

# %% check="combine_masks"
check("combine_masks", combine_masks)

# %% [markdown] lang="zh"
r"""
**看一看。** 两句长短不一的话，同一张因果表，合起来以后各有各的样子：短句那张图（上面一张），最右边几列整列都打了叉。

接着做一个小测试：把填充换成一个荒唐的数，看真词的输出动不动。填充补在右边，而因果掩码本来就不让人往右看，真词碰巧也就看不到填充，测了等于没测。所以这个测试要在“谁都可以看”的时候做，先故意不遮填充，再遮上。
"""

# %% [markdown] lang="en"
r"""
**See it.** Two sentences of different length and one causal table; combined, each gets its own: in the picture of the short one (the first), the rightmost columns are crossed out from top to bottom.

Then a little test: replace the pads by something absurd and see whether real words move. With padding on the right, a causal mask happens to hide it from real words anyway, since nobody looks to the right; tested there, it would tell us nothing. So we test where everyone may look everywhere, first with the padding left open on purpose, then closed.
"""

# %% tags=["experiment"]
if ready("scaled_dot_product", "causal_mask", "combine_masks"):
    by_length = sorted(referent.load(LANG, 40), key=lambda sentence: len(sentence.tokens))
    pair = [by_length[0], by_length[-1]]
    pair_length = len(pair[1].tokens) + 1
    pair_ids, _, _ = referent.encode(pair, LANG, pair_length)
    is_word = pair_ids != 0  # (2, T)
    vocabulary = referent.vocabulary(LANG)
    pair_rng = np.random.default_rng(2)
    pair_table = pair_rng.normal(size=(len(vocabulary), 8))
    pair_x = tensor(pair_table[pair_ids])  # (2, T, 8)
    pair_mask = combine_masks(ops.convert_to_tensor(is_word), causal_mask(pair_length))
    _, pair_weights = scaled_dot_product(pair_x, pair_x, pair_x, mask=pair_mask)
    for row in range(2):
        names = [vocabulary[i] for i in pair_ids[row]]
        display(attention_map(names, pair_weights[row], mask=pair_mask[row]))

    loud_x = tensor(np.where(is_word[..., None], pair_x, 100.0))  # the same words, absurd pads
    anyone = ops.ones((pair_length, pair_length), dtype="bool")
    for kind, real_keys in (
        (text("填充没遮", "padding open"), np.ones_like(is_word)),
        (text("填充遮了", "padding closed"), is_word),
    ):
        test_mask = combine_masks(ops.convert_to_tensor(real_keys), anyone)
        before, _ = scaled_dot_product(pair_x, pair_x, pair_x, mask=test_mask)
        after, _ = scaled_dot_product(loud_x, loud_x, loud_x, mask=test_mask)
        change = np.abs(np.asarray(after) - np.asarray(before))[is_word].max()
        say(
            f"{kind}，填充换成 100：真词的输出最多变了 {change:.3g}",
            f"{kind}, pads replaced by 100: real words move by {change:.3g} at most",
        )

# %% [markdown] lang="zh"
r"""
**用一用。** 这个小测试值得记住：*谁都可以看的时候，把填充改成任何东西，真词的结果都不许动*。以后不管你写什么模型，这一条都能用来查掩码。

<details><summary>想一想：第一张图里，最右边几列整列打了叉，右上角还有一个打叉的三角。哪一处是填充掩码的功劳，哪一处是因果掩码的？</summary>

整列来自填充（谁都不许看），三角来自因果（前面的不许看后面的）。两张表做“与”：两张表里只要有一张不许看，这一格就打叉。
</details>
"""

# %% [markdown] lang="en"
r"""
**Use it.** This little test is worth remembering: *where everyone may look everywhere, change the pads to anything, and no real word may move*. Whatever model you write later, this is how you test its masks.

<details><summary>Think: in the first picture the rightmost columns are crossed out entirely, and so is a triangle at the top right. Which is the work of the padding mask, which of the causal mask?</summary>

Columns come from padding (nobody may look there), the triangle from causality (earlier words may not look at later ones). The two tables are joined by "and": a cell is crossed out as soon as either gate is closed.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3a.7 练习：分头

softmax 有个脾气：权重一旦集中到一个键上，别的就看不到了。可“它”既想知道句里有哪些名词，又想知道形容词是什么。办法是把 $D$ 个特征切成 $N$ 段，每段 $H = D / N$ 个，让每个**头**（head）用自己的一段各看各的。

写 `split_heads(x, num_heads)`：

- `x`：形状 (B, T, D)，任意 dtype。
- `num_heads`：整数 N，能整除 D。
- **返回**形状 (B, N, T, D/N)，dtype 不变。第 n 个头拿到每个词的第 n 段特征：`result[b, n, t, h]` 等于 `x[b, t, n * H + h]`。
- 训练时，批次大小要到运行时才知道，`x.shape[0]` 可能是 `None`。所以 `ops.reshape` 里批次那一轴写 `-1`，或者用 `ops.shape(x)` 取形状。（词数和特征数是已知的。）

为什么头的轴要挪到词的前面？因为 `scaled_dot_product` 把最后两轴当作（词，特征），前面的轴各算各的。头放在前面，一行都不用改，$N$ 个头就一起算了。
"""

# %% [markdown] lang="en"
r"""
## 3a.7 Exercise: heads

A softmax tends to be all-or-nothing: once the weight sits on one key, the others are out of sight. But *it* wants to know both which nouns there are and what the adjective is. So cut the $D$ features into $N$ blocks of $H = D / N$, and let each **head** look around with a block of its own.

Write `split_heads(x, num_heads)`:

- `x`: shape (B, T, D), any dtype.
- `num_heads`: the int N, a divisor of D.
- **Returns** shape (B, N, T, D/N), same dtype. Head n gets the n-th block of features of every word: `result[b, n, t, h]` equals `x[b, t, n * H + h]`.
- In training the batch size is known only at run time, and `x.shape[0]` may be `None`. So write `-1` for that axis in `ops.reshape`, or take the shape from `ops.shape(x)`. (The numbers of words and features are known.)

Why do heads move in front of the words? Because `scaled_dot_product` takes the last two axes as (words, features) and treats every axis in front separately. With heads in front, not a line has to change and all $N$ heads are computed at once.
"""

# %% exercise="split_heads"
from bert_keras.layers.attention import split_heads

# %% check="split_heads"
check("split_heads", split_heads)

# %% [markdown] lang="zh"
r"""
**看一看。** 下面的数字十位是词，个位是特征，所以一眼就能看出每个数从哪来。最后一组是最常见的写法错误：只 reshape，不 transpose。形状一模一样，内容全乱了，而且**不报错**。
"""

# %% [markdown] lang="en"
r"""
**See it.** The tens digit is the word and the units digit the feature, so every number tells where it came from. The last group shows the commonest mistake: reshape without transpose. Same shape, all contents mixed up, and **no error**.
"""

# %% tags=["experiment"]
if ready("split_heads"):
    digits = np.array([[[10 * t + d for d in range(6)] for t in range(1, 4)]])  # (1, 3, 6)
    say("原来的三个词：", "The three words:")
    print(digits[0])
    two_heads = np.asarray(split_heads(tensor(digits), 2)).astype(int)
    say("split_heads 分成两个头：", "split_heads makes two heads of them:")
    print(two_heads[0])
    say("只 reshape：", "reshape only:")
    print(digits.reshape(1, 2, 3, 3)[0])

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：只 reshape 的写法，用“改动后面的词，前面的输出不许变”这个测试抓得住吗？</summary>

如果合头的时候也只 reshape，就抓不住：每个头拿到的是一段段连续的片段，排在前面的片段里仍然只有前面的词，所以并不会漏看未来。抓得住它的是另一个测试：打乱词序，看输出是不是只跟着换位置。3a.8 就会做。一个测试只能抓一类错误，所以检查里才有那么多项。
</details>
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: would "change later words, and earlier outputs must not move" catch the reshape-only version?</summary>

Not if the heads are merged by a bare reshape too: each head then gets runs of consecutive pieces, and earlier pieces still hold earlier words only, so nothing leaks from the future. Another test catches it: shuffle the words and see whether the outputs merely change places. We do that in 3a.8. One test catches one kind of mistake, which is why a check has so many.
</details>
"""

# %% [markdown] lang="zh"
r"""
### 加分题：合头

各个头算完注意力以后，把结果并排拼回去。写 `merge_heads(x)`：

- `x`：形状 (B, N, T, H)。
- **返回**形状 (B, T, N·H)，dtype 不变；它是 `split_heads` 的逆：先分再合，原样回来。
- 批次大小同样可能是 `None`：别用 `x.shape[0]`，那一轴写 `-1`，或者用 `ops.shape(x)`。

跳过这题也不影响后面：检查 `MultiHeadAttention` 时用的是标准的 `merge_heads`，演示则向课程库借用。
"""

# %% [markdown] lang="en"
r"""
### Stretch: merging heads

After looking around, the heads are put side by side again. Write `merge_heads(x)`:

- `x`: shape (B, N, T, H).
- **Returns** shape (B, T, N·H), same dtype; it is the inverse of `split_heads`: split, then merge, and you are back.
- Here, too, the batch size may be `None`: not `x.shape[0]` but `-1` for that axis, or `ops.shape(x)`.

Skipping this costs nothing later: the check of `MultiHeadAttention` uses a reference `merge_heads`, and the demonstrations borrow the library's.
"""

# %% exercise="merge_heads"
from bert_keras.layers.attention import merge_heads

# %% check="merge_heads"
check("merge_heads", merge_heads)

# %% tags=["experiment"]
from bert_keras.layers import attention as library

example = tensor(np.arange(24).reshape(1, 2, 3, 4))
try:
    right = np.array_equal(merge_heads(example), library.merge_heads(example))
except Exception:
    right = False
if not right:
    merge_heads = library.merge_heads
    say(
        "下面的演示先借用课程库里的 merge_heads；什么时候想补做，重新运行你的单元格就行。",
        "The demonstrations below borrow the library's merge_heads; to do the exercise after "
        "all, just run your own cell again.",
    )

# %% [markdown] lang="zh"
r"""
## 3a.8 练习：多头注意力（multi-head attention）

现在把它们装成一层。查询、键、值各乘一个自己的矩阵（$D \times D$，加偏置；这叫**投影**，projection），分头，各看各的，合头，最后再乘一个矩阵：

$$\mathrm{head}_n = \mathrm{Attention}(X W^Q_n, X W^K_n, X W^V_n), \qquad \mathrm{output} = [\mathrm{head}_1; \dots; \mathrm{head}_N] W^O + b^O$$

```text
query (B, T, ·)        key (B, S, ·)        value (B, S, ·)
      │ query_dense          │ key_dense            │ value_dense
  (B, T, D)              (B, S, D)              (B, S, D)
      │ split_heads          │ split_heads          │ split_heads
 (B, N, T, H)           (B, N, S, H)           (B, N, S, H)
      └───────────┬──────────┴──────────────────────┘
         scaled_dot_product ───▶ weights (B, N, T, S)
                  │
             (B, N, T, H)
                  │ merge_heads
              (B, T, D)
                  │ output_dense
           output (B, T, D)
```

构造函数已经写好（`num_heads`、`hidden_dim`、`dropout`、`kernel_initializer`；`hidden_dim` 不能被 `num_heads` 整除就抛出 `ValueError`）。四个 Dense 层叫 `query_dense`、`key_dense`、`value_dense`、`output_dense`，dropout 层叫 `attention_dropout`。里面有两处写法眼生，不必深究：`.clone()` 给每个 Dense 一份自己的初始化器（共用一份，会抽出同样的数）；`dtype=self.dtype_policy` 让子层沿用这一层的数值精度设置（例如 float16 混合精度）。你来写 `call`：

- `query`：(B, T, ·)；`key`、`value`：(B, S, ·)。自注意力时三个是同一个张量，但别这么假定。
- `attention_mask`：`None`，或布尔 (B, T, S) 或 (B, 1, S)，`True` = 可以看，对所有头都一样。**头那一轴由你加上。**
- **返回**一对：输出 (B, T, D) 和每个头的权重 (B, N, T, S)（dropout 之前）。哪怕只要输出，也总是返回一对。
"""

# %% [markdown] lang="en"
r"""
## 3a.8 Exercise: multi-head attention

Now make it one layer. Query, key and value are each multiplied by a matrix of their own ($D \times D$, plus bias; this is called a **projection**), cut into heads, each head looks around, heads are merged and multiplied by one more matrix:

$$\mathrm{head}_n = \mathrm{Attention}(X W^Q_n, X W^K_n, X W^V_n), \qquad \mathrm{output} = [\mathrm{head}_1; \dots; \mathrm{head}_N] W^O + b^O$$

```text
query (B, T, ·)        key (B, S, ·)        value (B, S, ·)
      │ query_dense          │ key_dense            │ value_dense
  (B, T, D)              (B, S, D)              (B, S, D)
      │ split_heads          │ split_heads          │ split_heads
 (B, N, T, H)           (B, N, S, H)           (B, N, S, H)
      └───────────┬──────────┴──────────────────────┘
         scaled_dot_product ───▶ weights (B, N, T, S)
                  │
             (B, N, T, H)
                  │ merge_heads
              (B, T, D)
                  │ output_dense
           output (B, T, D)
```

The constructor is there already (`num_heads`, `hidden_dim`, `dropout`, `kernel_initializer`; a `hidden_dim` that isn't a multiple of `num_heads` raises `ValueError`). The four Dense layers are called `query_dense`, `key_dense`, `value_dense`, `output_dense`, the dropout layer `attention_dropout`. Two phrases in it may look odd, and needn't hold you up: `.clone()` gives each Dense an initializer of its own (a shared one would draw the same numbers again); `dtype=self.dtype_policy` hands this layer's precision setting (such as mixed precision with float16) on to its sub-layers. You write `call`:

- `query`: (B, T, ·); `key`, `value`: (B, S, ·). In self-attention all three are the same tensor, but don't count on it.
- `attention_mask`: `None`, or bool (B, T, S) or (B, 1, S), `True` = may look, the same for all heads. **You add the axis of the heads.**
- **Returns** a pair: the output (B, T, D) and the weights of every head (B, N, T, S) (before dropout). Always the pair, even if only the output is wanted.
"""

# %% exercise="MultiHeadAttention" blank="call"
from bert_keras.layers.attention import MultiHeadAttention

# %% check="MultiHeadAttention"
check("MultiHeadAttention", MultiHeadAttention)

# %% [markdown] lang="zh"
r"""
**用一用。** 这一层知道词序吗？把句子里的词打乱，看输出是不是只跟着换了个位置。另外数一数参数：头多了，参数会变多吗？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Does this layer know the order of words? Shuffle the words and see whether the outputs merely change places with them. And count the parameters: do more heads mean more of them?
"""

# %% tags=["experiment"]
if ready("scaled_dot_product", "split_heads", "MultiHeadAttention"):
    rng = np.random.default_rng(3)
    in_order = tensor(rng.normal(size=(1, 7, 24)))
    new_places = rng.permutation(7)
    shuffled = ops.take(in_order, new_places, axis=1)
    four_heads = MultiHeadAttention(num_heads=4, hidden_dim=24)
    straight, _ = four_heads(in_order, in_order, in_order)
    crooked, _ = four_heads(shuffled, shuffled, shuffled)
    change = np.abs(np.asarray(straight)[:, new_places] - np.asarray(crooked)).max()
    say(
        f"除了换位置，输出最多变了 {change:.0e}",
        f"apart from places, the output moves by {change:.0e}",
    )
    for n in (1, 2, 4, 8):
        some_heads = MultiHeadAttention(num_heads=n, hidden_dim=24)
        some_heads(in_order, in_order, in_order)
        say(
            f"N={n}：{some_heads.count_params()} 个参数，4 * (24 * 24 + 24) = 2400",
            f"N={n}: {some_heads.count_params()} parameters, 4 * (24 * 24 + 24) = 2400",
        )

# %% [markdown] lang="zh"
r"""
差别只是浮点误差：**没有位置信息的自注意力不认识词序**，“狗咬人”和“人咬狗”在它眼里只是换了座位。所以下面的小模型要给每个位置也配一个向量，叫位置嵌入（position embedding），跟词向量相加（为什么这样加，留给 3b）。参数（parameter）的个数跟头数无关：头只是把同样的 $D$ 个特征分成几份。
"""

# %% [markdown] lang="en"
r"""
Nothing but rounding: **self-attention without positions doesn't know word order**; "dog bites man" and "man bites dog" are the same guests in different seats. So the little model below has a vector for every position as well, its position embedding, added to that of the word (why like that is a matter for 3b). The number of parameters doesn't depend on the number of heads: heads only share out the same $D$ features.
"""

# %% [markdown] lang="zh"
r"""
## 3a.9 实验：训练以后，“它”在看谁？

现在回到开头的问题。用**你写的** `MultiHeadAttention` 叠两层，每层 4 个头，只从“它”那个位置的向量读出答案。同一个模型结构，问两种问题，各训练一个：

- **哪一个**（`which`）：“它”指第一个名词还是第二个名词？（两个答案）
- **哪个词**（`word`）：“它”是哪个词？（从整个词表里选，有点像完形填空）

测试句里，答案名词和形容词的搭配在训练时从没作为答案出现过，所以光靠背是答不对的。

模型里有几样还没讲过的零件，先拿来用。残差连接（residual connection）：把一层的输入加到它的输出上，就是 `x + mixed`。层归一化（layer normalisation，`LayerNormalization`）：把每个词的向量调整到差不多的大小。这两样 3b 会细讲。logits：softmax 之前的那排数，每个答案一个。训练时批次大小是 `None`；如果训练单元格报错，提到 `None`，多半是 `split_heads`、`merge_heads` 或 `combine_masks` 用了 `x.shape[0]` 之类，回去看它们的约定。训练大约要一分钟，会打出两行，一个模型一行。

**先预测，再往下看。** 第一层里，“它”的查询是由“它”的词向量和位置向量算出来的，这时它还不知道形容词是什么。那么把“累”换成“宽”，第一层里“它”对其他各个词的分数会变吗？第二层呢？
"""

# %% [markdown] lang="en"
r"""
## 3a.9 Experiment: after training, whom does "it" look at?

Back to the question we began with. Stack two layers of **your own** `MultiHeadAttention`, four heads each, and read the answer from the vector at *it* alone. One architecture, two questions, one model trained for each:

- **which one** (`which`): does *it* mean the first noun or the second? (two answers)
- **what word** (`word`): which word is *it*? (any word of the vocabulary, rather like filling a gap)

In the test sentences the pair of answer noun and adjective has never been an answer in training, so learning pairs by heart won't do.

The model uses a few parts we haven't met. A residual connection adds the input of a layer to its output: `x + mixed`. Layer normalisation (`LayerNormalization`) brings the vector of every word to about the same size. Both are explained in 3b; here we just use them. Logits are the numbers before a softmax, one for each answer. In training the batch size is `None`; if the training cell raises an error that mentions `None`, most likely `split_heads`, `merge_heads` or `combine_masks` uses something like `x.shape[0]`: go back to what is agreed there. Training takes about a minute and prints two lines, one for each model.

**Predict before you look.** In layer one, the query of *it* is computed from the word vector and the position of *it*: it doesn't know the adjective yet. So when "tired" becomes "wide", do the scores of *it* for the other words change in layer one? And in layer two?
"""

# %% tags=["experiment"]
models = {}  # filled by the next cell


def trained():
    if not models:
        say(
            "这个单元格要用到训练好的两个模型：先让上面的训练单元格跑完，再回来运行它。",
            "This cell needs the two trained models: let the training cell above run to its end, "
            "then run this one again.",
        )
    return bool(models)


class ReferentModel(keras.Model):
    """Two layers of your attention; the answer is read at the pronoun and nowhere else."""

    def __init__(self, num_words, length, num_answers, num_layers=2, num_heads=4, hidden_dim=32):
        super().__init__()

        def table(size):
            start = keras.initializers.RandomNormal(stddev=0.15)
            return keras.layers.Embedding(size, hidden_dim, embeddings_initializer=start)

        self.words, self.positions = table(num_words), table(length)
        self.attentions = [MultiHeadAttention(num_heads, hidden_dim) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization() for _ in range(num_layers)]
        self.hidden = keras.layers.Dense(hidden_dim, activation="relu")
        self.answer = keras.layers.Dense(num_answers)

    def look(self, token_ids, pronoun, allowed):
        """Return logits, the pronoun's row of every head, and what each layer is given."""
        mask = combine_masks(ops.not_equal(token_ids, 0), allowed)  # (B, T, T)
        x = self.words(token_ids) + self.positions(ops.arange(token_ids.shape[1]))  # (B, T, D)
        rows, inputs = [], []
        for attention, norm in zip(self.attentions, self.norms):
            inputs.append(x)
            mixed, weights = attention(x, x, x, attention_mask=mask)
            x = norm(x + mixed)
            at = ops.reshape(pronoun, (-1, 1, 1, 1))
            rows.append(ops.take_along_axis(weights, at, axis=2)[:, :, 0])  # (B, N, T)
        at_pronoun = ops.take_along_axis(x, ops.reshape(pronoun, (-1, 1, 1)), axis=1)[:, 0]
        logits = self.answer(self.hidden(at_pronoun))  # (B, number of answers)
        return logits, ops.stack(rows, axis=1), inputs  # (B, L, N, T)

    def call(self, inputs):
        token_ids, pronoun = inputs
        length = token_ids.shape[1]
        return self.look(token_ids, pronoun, ops.ones((length, length), dtype="bool"))[0]


# %% tags=["experiment"]
if ready("scaled_dot_product", "combine_masks", "split_heads", "MultiHeadAttention"):
    train, test = referent.load(LANG, 4000), referent.load(LANG, 1000, split="test", seed=1)
    max_length = max(len(sentence.tokens) for sentence in train + test)
    num_words = len(referent.vocabulary(LANG))

    def arrays(sentences):
        token_ids, pronoun, label = referent.encode(sentences, LANG, max_length)
        meant = [sentence.referent for sentence in sentences]
        word = token_ids[np.arange(len(sentences)), meant]
        return token_ids, pronoun, {"which": label, "word": word}

    train_ids, train_pronoun, train_answers = arrays(train)
    test_ids, test_pronoun, test_answers = arrays(test)

    def train_model(question, seed):
        """Train on one of the two questions; return the model and its accuracy by epoch."""
        keras.utils.set_random_seed(seed)
        model = ReferentModel(num_words, max_length, {"which": 2, "word": num_words}[question])
        model.compile(
            optimizer=keras.optimizers.Adam(5e-3),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
        history = model.fit(
            (train_ids, train_pronoun),
            train_answers[question],
            batch_size=128,
            epochs=8,
            verbose=0,
        )
        return model, history.history["accuracy"]

    models, finished = {}, {}
    for question, short in (("word", text("哪个词", "word ")), ("which", text("哪一个", "which"))):
        finished[question], history = train_model(question, seed=0)
        guess = finished[question].predict((test_ids, test_pronoun), batch_size=500, verbose=0)
        share = np.mean(guess.argmax(axis=1) == test_answers[question])
        epochs = " ".join(f"{accuracy:.2f}" for accuracy in history)
        say(
            f"{short}：测试准确率 {share:.3f}，训练时逐轮 {epochs}",
            f"{short}  test accuracy {share:.3f}, training by epoch {epochs}",
        )
    models = finished

# %% [markdown] lang="zh"
r"""
两个模型在没见过的搭配上都答得很好。现在把**每一层每一个头**在“它”那一行的权重全画出来，一个也不挑。每个头两行：上面“累”，下面“宽”。橙色框是正确答案，“2-3”指第 2 层第 3 个头，格子里的数字是百分之几（不到 5% 的不写）。
"""

# %% [markdown] lang="en"
r"""
Both models do well on pairs they have never seen. Now draw **every head of every layer** at the row of *it*, none hand-picked. Each head has two lines: "tired" above, "wide" below. The orange frame is the right answer, "2-3" means layer 2, head 3, and the numbers in the cells are percent (none below 5 %).
"""

# %% tags=["experiment"]
if trained():
    everywhere = np.ones((max_length, max_length), dtype=bool)

    def pronoun_rows(model, sentences):
        token_ids, pronoun, _ = arrays(sentences)
        return np.asarray(model.look(token_ids, pronoun, everywhere)[1])  # (B, L, N, T)

    asked = {"word": "the model asked 'what word'", "which": "the model asked 'which one'"}
    if LANG == "zh":
        asked = {"word": "问“哪个词”的模型", "which": "问“哪一个”的模型"}
    for question in ("word", "which"):
        rows = pronoun_rows(models[question], (tired, wide))
        print(asked[question])
        shown = len(tired.tokens)
        display(
            query_rows(
                [tired.tokens, wide.tokens],
                rows[..., :shown],
                tired.pronoun,
                answers=[tired.referent, wide.referent],
            )
        )

# %% [markdown] lang="zh"
r"""
一个例句什么也证明不了。下面是 1000 个测试句的平均：“它”给正确名词、另一个名词、形容词各多少权重。
"""

# %% [markdown] lang="en"
r"""
One sentence proves nothing. Here is the mean over 1000 test sentences: how much weight *it* gives to the right noun, the other noun and the adjective.
"""

# %% tags=["experiment"]
if trained():
    one = np.arange(len(test))
    places = {
        "right noun": np.array([s.referent for s in test]),
        "other noun": np.array([s.nouns[1 - s.label] for s in test]),
        "adjective": np.array([s.adjective for s in test]),
    }
    for question in ("word", "which"):
        rows = pronoun_rows(models[question], test)
        print(asked[question])
        say(
            "         正确名词  另一名词    形容词",
            "       right noun  other noun   adjective",
        )
        for layer in range(2):
            for head in range(4):
                means = [rows[one, layer, head, at].mean() for at in places.values()]
                width = 10 if LANG == "zh" else 12
                print(f"   {layer + 1}-{head + 1}" + "".join(f"{m:{width}.2f}" for m in means))

    rows = pronoun_rows(models["word"], (tired, wide))
    others = [t for t in range(len(tired.tokens)) if t != tired.adjective]
    for layer in range(2):
        share = rows[:, layer][..., others]
        share = share / share.sum(axis=-1, keepdims=True)
        change = np.abs(share[0] - share[1]).max()
        say(
            f"第 {layer + 1} 层，除去形容词那一格后重新归一：最大变化 {change:.1e}",
            f"layer {layer + 1}, adjective left out and the rest renormalised: "
            f"largest change {change:.1e}",
        )

# %% [markdown] lang="zh"
r"""
**看到了什么。**

- 第一层：平均下来，正确名词和另一个名词得到的权重几乎一样多。必须如此：“它”的查询还不知道形容词，换一个形容词，别的词的分数一点不变，只是形容词那一格变了、整行跟着重新归一。所以第一层里某个词的格子变深，并不是“它”改了主意，只是形容词让出了份额。最后那两行数字就是证据。
- 第二层，问“哪个词”的模型：平均来看，各个头给正确名词的权重都比给另一个名词的多，有的头多得多；形容词一换，这份偏心也跟着换。有一张著名的插图，画的就是这样的头：2017 年 Google 介绍 Transformer 的[博客](https://ai.googleblog.com/2017/08/transformer-novel-neural-network.html)，用的正是动物和街道这句话（论文附录里画的是另一句）。那个模型学的是翻译，而法语里动物是阳性、街道是阴性，“它”译成哪个词，非弄清指谁不可。单看一句、单看一个头，就未必这么整齐了，你的图里大概也有说不清在干什么的头。
- 第二层，问“哪一个”的模型：同样答得很准，却几乎**不看**正确的名词。它读的是形容词，大概还有句式：哪类名词先出现，从别的词也读得出来。（后半句还只是猜想。该遮住哪几个词来验证？）

**没看到什么。** 权重高，不等于“因为看了它才答对”。要知道因果，得动手干预：遮住一个词，看答案变不变。掩码正好是干这个的。下面禁止“它”在两层里看某一个词，别的都照旧；有两行更严，把正确名词、甚至两个名词对**所有**词都遮住，只有名词自己还看得到自己。一个模型六行，两个模型共十二个数：先都猜一遍，再运行。
"""

# %% [markdown] lang="en"
r"""
**What you can see.**

- Layer one: on average, the right noun and the other noun get almost the same weight. It has to be so: the query of *it* doesn't know the adjective yet; another adjective changes no other score, only its own cell, and the row is renormalised. So when some word's cell darkens in layer one, *it* hasn't changed its mind; the adjective has merely given up some of its share. The last two numbers are the proof.
- Layer two of the model asked "word": on average its heads give the right noun more than the other one, some of them much more, and the preference changes sides with the adjective. A famous picture shows a head like this: the [blog post](https://ai.googleblog.com/2017/08/transformer-novel-neural-network.html) in which Google presented the Transformer in 2017 draws the very sentence about the animal and the street (the appendix of the paper has another one). That model had learnt to translate, and in French the animal is masculine and the street feminine: there is no word for *it* until you know which is meant. In a single sentence, a single head needn't be so tidy; your picture, too, probably has heads whose job is anybody's guess.
- Layer two of the model asked "which": just as accurate, and yet it hardly **looks at** the right noun. It reads the adjective, and probably the form of the sentence: which kind of noun comes first can be read off other words too. (The second half is only a guess so far. Which doors would you close to test it?)

**What you can't see.** A high weight doesn't mean "right because it looked there". To learn about causes you have to intervene: close the door and see whether the answer changes. That's just what masks are for. Below, *it* may not look at one particular word in either layer, and all else stays; two lines are stricter and close the right noun, or even both nouns, to **every** word, so that a noun is seen by itself alone. Six lines for each of two models make twelve numbers: guess them all first, then run it.
"""

# %% tags=["experiment"]
if trained():
    closings = (
        "nothing",
        "right noun",
        "right noun, everyone",
        "both nouns, everyone",
        "other noun",
        "adjective",
    )

    def accuracy_when_closed(model, question):
        """Accuracy on the test sentences while "it", or everyone, may not look at a word."""
        found = {}
        for name in closings:
            allowed = np.ones((len(test), max_length, max_length), dtype=bool)
            if name.endswith("everyone"):
                nouns = ("right noun", "other noun")[: 2 if name.startswith("both") else 1]
                for noun in nouns:
                    allowed[one, :, places[noun]] = False  # nobody may look at it ...
                    allowed[one, places[noun], places[noun]] = True  # ... but itself
            elif name != "nothing":
                allowed[one, test_pronoun, places[name]] = False
            guess = np.asarray(model.look(test_ids, test_pronoun, allowed)[0]).argmax(axis=1)
            found[name] = float(np.mean(guess == test_answers[question]))
        return found

    chinese = (
        "什么也不遮",
        "不让“它”看正确名词",
        "正确名词对所有词都遮住（它自己除外）",
        "两个名词对所有词都遮住（各自除外）",
        "不让“它”看另一个名词",
        "不让“它”看形容词",
    )
    english = (
        "nothing closed",
        "right noun closed to 'it'",
        "right noun closed to every word but itself",
        "both nouns closed to every word, each but to itself",
        "other noun closed to 'it'",
        "adjective closed to 'it'",
    )
    doors = dict(zip(closings, text(chinese, english)))
    for question, model in models.items():
        print(asked[question])
        for name, accuracy in accuracy_when_closed(model, question).items():
            print(f"   {accuracy:.3f}  {doors[name]}")

# %% [markdown] lang="zh"
r"""
问“哪个词”的模型，一旦不让“它”看正确名词，准确率就大跌，不让它看另一个名词却几乎没有影响；问“哪一个”的模型，不看正确名词也毫无影响。

“哪个词”大跌之后剩下的那一点，是从哪来的？看更严的那一行。两行之差是绕道来的：别的词在第一层看了名词，“它”在第二层再看那些词。对所有词都遮住以后仍然答对的，就不可能来自那个名词，只能是从句子里其余的词猜的：动词、形容词（中文还有量词）把 50 个名词缩小到十来个，甚至更少。

再看两个名词对所有词都遮住的那一行：“哪一个”照样答对，可见它用不着**任何一个**名词，答案从其余的词里就读得出来。3a.1 说过，单独一个词泄露不了答案；几个词合起来就可以。

**同样的结构，同样的数据，同样的准确率，看的地方却不一样，因为问的问题不一样。** 所以看注意力图时要问：这个模型当初被要求回答什么？图是线索，干预才是证据。

一个随机种子（seed）说明不了什么：换个种子，哪个头干哪件事都会变。种子 0 你已经看过了，所以在看另外四个之前，先把预测说死：*不管哪个种子，（1）不让“它”看正确名词，“哪个词”的准确率掉到一半以下；（2）不让“它”看另一个名词，还在 95% 以上；（3）不让“它”看正确名词，“哪一个”还在 85% 以上。* 下面画的是事先存好的结果，五个种子都在，每个点是一个；想用你自己的层重跑，就把 `RERUN` 改成 `True`（只打印，不改存好的结果）。
"""

# %% [markdown] lang="en"
r"""
With the right noun closed to *it*, the model asked "word" falls hard; with the other noun closed, hardly anything happens. The model asked "which" does not mind losing the right noun at all.

What little is left of "word": where does it come from? Look at the stricter line. The difference between the two lines came by a detour: other words looked at the noun in layer one, and *it* looked at them in layer two. What is still right with the door closed to everyone can't come from that noun; it can only be guessed from the rest of the sentence: verb and adjective (in Chinese the measure word, too) narrow 50 nouns down to a dozen or fewer.

Now the line with both nouns closed to every word: "which" is as right as before, so it needs **neither** noun; the other words are enough to answer. As 3a.1 said, no single word gives the answer away; several words together do.

**Same architecture, same data, same accuracy, and yet they look at different places, because they were asked different questions.** So when you see a picture of attention, ask: what was this model trained to answer? A picture is a lead; an intervention is evidence.

One seed says little: with another seed, different heads do the work. You have seen seed 0; so we commit ourselves before looking at four more: *whatever the seed, (1) with the right noun closed to "it", "word" falls below one half; (2) with the other noun closed, it stays above 95 %; (3) with the right noun closed, "which" stays above 85 %.* The chart shows stored results of all five, one point per seed; to run them again with your own layers, set `RERUN` to `True` (it prints, and leaves what is stored alone).
"""

# %% tags=["experiment"]
RERUN = False  # True trains ten models with your layers: five minutes or more
if RERUN and trained():
    for seed in range(5):
        for question in ("word", "which"):
            model, _ = train_model(question, seed)
            found = accuracy_when_closed(model, question)
            print(seed, question, *(f"{accuracy:.3f}" for accuracy in found.values()))

result = stored("it_by_seed")
words = chart_words(LANG)
door_words = {
    "nothing": words("都不遮", "nothing"),
    "right noun": words("正确名词", "right noun"),
    "right noun, everyone": words("正确名词\n（谁都不许看）", "right noun,\nto every word"),
    "other noun": words("另一个名词", "other noun"),
    "adjective": words("形容词", "adjective"),
}
if result:
    print(result["claim"][LANG])
    print(text("→ 成立", "→ holds") if result["holds"] else text("→ 不成立", "→ does not hold"))
    asked_words = {"word": words("哪个词", "word"), "which": words("哪一个", "which")}
    with chart(1, width=7) as (axis,):
        for i, question in enumerate(asked_words):
            figures = result["figures"][LANG][question]
            for n in range(len(result["seeds"])):
                axis.plot(
                    np.arange(len(door_words)) + 0.22 * i - 0.11 + 0.02 * (n - 2),
                    [figures[door]["values"][n] for door in door_words],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle="",
                    alpha=0.75,
                    label=asked_words[question] if n == 0 else None,
                )
        axis.set_xticks(range(len(door_words)), door_words.values())
        axis.set(ylim=(-0.03, 1.05), xlabel=words("不让“它”看什么", 'closed to "it" (or to all)'))
        axis.set_ylabel(words("准确率", "accuracy"))
        axis.legend(frameon=False, loc="lower right", title=words("问的是", "asked"))

# %% [markdown] lang="zh"
r"""
三条都成立，中文和英文各五个种子，无一例外：不让“它”看正确名词，“哪个词”最高也只剩 45%（英文 15%）；不让它看另一个名词，“哪个词”始终是 100%；不看正确名词，“哪一个”最低 91.5%（英文全是 100%），而那个种子什么也不遮时也只有 91.5%，是没有学到家，遮住名词并没有让它再丢分。正确名词对所有词都遮住，“哪个词”还剩 13% 到 21%（英文 4% 到 8%），那是猜来的；“哪一个”这时也没有再丢分，果然用不着正确名词。

遮住形容词，两个模型都大受影响，只剩 50% 到 77%（英文 47% 到 75%）。这要跟抛硬币比：知道是那两个名词之一，随便挑一个就有 50%。不看形容词，成对的两句话一模一样，最多只能答对一半，所以超出 50% 的部分也是绕道来的：别的词看了形容词，“它”再看那些词。

真实的 BERT 上是什么样，7a 再看。
"""

# %% [markdown] lang="en"
r"""
All three hold, for five seeds in each language, without exception: with the right noun closed, "word" reaches 15 % at best (45 % in Chinese); with the other noun closed, "word" stays at 100 %; with the right noun closed, "which" stays at 100 % (in Chinese one seed has 91.5 %, but it has no more with all doors open: it never fully learnt it, and lost nothing by the closed door). With the right noun closed to everyone, "word" keeps 4 % to 8 % (13 % to 21 % in Chinese), and that is guesswork; "which" loses nothing behind this stricter door either, and so has no use for the right noun.

Closing the adjective hurts both models, down to between 47 % and 75 % (50 % and 77 % in Chinese). Compare that with a coin: knowing the two nouns and picking either is worth 50 %. Without the adjective the two sentences of a pair are the same, and no more than half of them can be right; so what exceeds 50 % came by a detour, too: other words looked at the adjective, and *it* looked at them.

What real BERT looks like is a matter for 7a.
"""

# %% [markdown] lang="zh"
r"""
## 3a.10 练习：要算多少，平方项什么时候成为瓶颈

$(a, b)$ 的矩阵乘 $(b, c)$ 的矩阵，要 $2abc$ 个 FLOP（浮点运算）：每个结果 $b$ 次乘、$b$ 次加。

写 `attention_flops(query_length, key_length, hidden_dim, num_heads)`，数一句话经过一层多头注意力的运算量：

- `query_length`：T；`key_length`：S；`hidden_dim`：D；`num_heads`：N。都是普通的 Python 整数。
- **返回**一对整数 `(projections, attention)`：前者是四个投影（查询和输出各 T 个词，键和值各 S 个词），后者是两个成对的乘法（分数、加权和），所有头加在一起。
- 约定：一次乘法或一次加法算 1 FLOP；偏置、缩放、掩码、softmax 都不算。
- `num_heads` 会改变结果吗？先想，再写。
"""

# %% [markdown] lang="en"
r"""
## 3a.10 Exercise: how much work, and when the T² term becomes the bottleneck

Multiplying an $(a, b)$ matrix by a $(b, c)$ matrix takes $2abc$ FLOPs (floating-point operations): $b$ multiplications and $b$ additions for each result.

Write `attention_flops(query_length, key_length, hidden_dim, num_heads)`, the work of one multi-head attention layer on one sentence:

- `query_length`: T; `key_length`: S; `hidden_dim`: D; `num_heads`: N. Plain Python ints, all of them.
- **Returns** a pair of ints `(projections, attention)`: the first counts the four projections (query and output on T words each, key and value on S words each), the second the two products over pairs (scores, weighted sum), all heads together.
- Convention: one multiplication or one addition is 1 FLOP; biases, scaling, masks and softmax don't count.
- Does `num_heads` change the result? Think first, then write.
"""

# %% exercise="attention_flops"
from bert_keras.layers.attention import attention_flops

# %% check="attention_flops"
check("attention_flops", attention_flops)

# %% tags=["experiment"]
if ready("attention_flops"):
    lengths = [32, 128, 512, 1536, 4096, 16384]
    counts = [attention_flops(t, t, hidden_dim=768, num_heads=12) for t in lengths]
    say(
        "     T         投影   成对乘法   占比   权重（MB）",
        "     T  projections  attention  share  weights, MB",
    )
    for t, (projections, attention) in zip(lengths, counts):
        share = attention / (projections + attention)
        megabytes = 12 * t * t * 4 / 1e6  # N * T * S numbers of 4 bytes
        print(f"{t:6} {projections:12.1e} {attention:10.1e} {share:6.1%} {megabytes:12.1f}")

    words = chart_words(LANG)
    with chart(1, width=5) as (axis,):
        labels = [words("四个投影", "projections"), words("成对的乘法", "attention")]
        for i, label in enumerate(labels):
            axis.plot(
                lengths,
                [count[i] for count in counts],
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                label=label,
            )
        axis.set(xscale="log", yscale="log", xlabel=words("句长 T", "length T"), ylabel="FLOP")
        axis.axvline(2 * 768, color="black", linewidth=0.8, linestyle=":")
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
**看一看。** 投影随 $T$ 线性增长，成对的乘法随 $T^2$ 增长，但两条线要到 $T = 2D$ 才相交（虚线；BERT-base 是 1536）。所以“自注意力的代价是平方的”在 BERT 的 512 个词以内，主要**不是**运算量的问题；先不够用的往往是内存：表的最后一列是一句话、一层、所有头的权重，训练时每一层都得留着：512 个词、12 层、一批 32 句，就是 4.8 GB。（FlashAttention 这类实现把注意力一小块一小块地算完，从不存下整张权重表，所以才放得下更长的句子。）

<details><summary>想一想：公式里没有 N，头就越多越好吗？</summary>

运算量不变，可每个头只剩 D/N 个特征去分辨键；而权重占的内存 N·T·S 随头数增长。头的多少是取舍，不是白来的。
</details>
"""

# %% [markdown] lang="en"
r"""
**See it.** Projections grow with $T$, products over pairs with $T^2$, but the lines don't cross before $T = 2D$ (dotted; 1536 for BERT-base). So within BERT's 512 words "self-attention is quadratic" is mostly **not** a matter of arithmetic; what runs out first is memory: the last column holds the weights of all heads for one sentence and one layer, and training keeps them for every layer: 512 words, 12 layers and a batch of 32 make 4.8 GB. (Implementations such as FlashAttention compute attention block by block and never store the whole table of weights; that's how longer texts fit.)

<details><summary>Think: the formula has no N: are more heads always better?</summary>

The arithmetic stays, but each head has only D/N features left to tell keys apart; and the memory of the weights, N·T·S, grows with the heads. Their number is a trade-off, not a gift.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 3a.11 找错练习

下面的 `patient` 是一个注意力函数，签名是 `patient(query, key, value, mask=None)`，约定跟 `scaled_dot_product` 一样，返回 `(output, weights)`。它能跑，形状全对，却有**一处**毛病。不同班级拿到的毛病可能不同。

1. 先别盯着代码看，做几个实验：拿手算的例子喂它；看权重每行的和；用掩码把键一个一个轮流遮住，看权重每次怎么变；让 T、S、H 各不相同。
2. 在下面的名单里选一个名字，写成字符串：`suspect = "..."`。名字不在名单里，检查会告诉你。
3. 写出修好的 `repaired(query, key, value, mask=None)`。

| 名字 | 毛病 |
|---|---|
| `mask_after_softmax` | 掩码用在了 softmax 之后 |
| `softmax_over_queries` | softmax 沿着查询的方向做，不是沿着键 |
| `scaled_by_key_length` | 缩放用了键的个数，不是键的大小 |
| `mask_fill_too_weak` | 不许看的分数压得不够低 |
| `mask_discarded` | 遮是遮了，遮好的分数却没有用上 |
| `mask_multiplied` | 把掩码乘进了分数 |

`query`、`key`、`value`、`mask` 的形状同 3a.3。说对毛病 1 分，修好 3 分。
"""

# %% [markdown] lang="en"
r"""
## 3a.11 Debugging drill

`patient` below is an attention function with the signature `patient(query, key, value, mask=None)`, the conventions of `scaled_dot_product`, and the result `(output, weights)`. It runs, all shapes are right, and it has **one** fault. Other classes may get other faults.

1. Don't stare at the code first; experiment: feed it the example done by hand; sum each row of the weights; hide each key in turn and watch the weights each time; make T, S and H all different.
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired(query, key, value, mask=None)`.

| Name | Fault |
|---|---|
| `mask_after_softmax` | the mask is used after the softmax |
| `softmax_over_queries` | the softmax runs along the queries, not the keys |
| `scaled_by_key_length` | scaled by the number of keys, not the size of a key |
| `mask_fill_too_weak` | forbidden scores aren't pushed down far enough |
| `mask_discarded` | scores are masked, and the masked ones never used |
| `mask_multiplied` | the mask is multiplied into the scores |

`query`, `key`, `value` and `mask` have the shapes of 3a.3. Naming the fault gives 1 point, the repair 3.
"""

# %% exercise="drill_ch03a_self_attention"
from drill import patient, suspect, repaired

# %% check="drill_ch03a_self_attention"
check("drill_ch03a_self_attention", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 3a.12 综合题：因果自注意力

前面的每次检查，其余零件都换成了标准实现。这一次没有：`CausalSelfAttention` 从头到尾用的都是**你自己**写的函数和层（只有加分题 `merge_heads`，没做也可以借课程库的）。

- 构造：`num_heads`、`hidden_dim`；子层放在 `self.attention`，是你的 `MultiHeadAttention`（已写好）。
- `call(x, padding_mask)`：`x` 形状 (B, T, D)，`padding_mask` 布尔 (B, T)，真词处是 `True`。每个词只能看自己和前面的**真**词。
- **返回**一对：输出 (B, T, D) 和权重 (B, N, T, T)。
"""

# %% [markdown] lang="en"
r"""
## 3a.12 Capstone: causal self-attention

In every check so far the other pieces were replaced by reference ones. Not in this one: `CausalSelfAttention` runs on **your own** functions and layer from end to end (only `merge_heads`, the stretch exercise, is lent to those who skipped it).

- Constructor: `num_heads`, `hidden_dim`; the sub-layer is `self.attention`, your `MultiHeadAttention` (written already).
- `call(x, padding_mask)`: `x` of shape (B, T, D), `padding_mask` bool (B, T), `True` at real words. Every word may look at itself and at the **real** words before it only.
- **Returns** a pair: the output (B, T, D) and the weights (B, N, T, T).
"""

# %% exercise="capstone_self_attention"
class CausalSelfAttention(keras.layers.Layer):
    """Self-attention that sees neither the future nor padding.

    Args:
        num_heads: int, the number of heads N.
        hidden_dim: int, the size D of the model.
    """

    def __init__(self, num_heads, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.attention = MultiHeadAttention(num_heads, hidden_dim, name="attention")

    def call(self, x, padding_mask):
        """Attend from every word to itself and to the real words before it.

        Args:
            x: float tensor of shape (B, T, D).
            padding_mask: bool tensor of shape (B, T), True at real words.

        Returns:
            The pair (output, weights) of shapes (B, T, D) and (B, N, T, T).
        """
        ### BEGIN SOLUTION
        attention_mask = combine_masks(padding_mask, causal_mask(x.shape[1]))  # (B, T, T)
        return self.attention(x, x, x, attention_mask=attention_mask)
        ### END SOLUTION

    def get_config(self):
        sizes = {"num_heads": self.num_heads, "hidden_dim": self.hidden_dim}
        return {**super().get_config(), **sizes}


# %% check="capstone_self_attention"
check("capstone_self_attention", CausalSelfAttention)

# %% [markdown] lang="zh"
r"""
## 3a.13 同样的东西，在 Keras 和 KerasHub 里

现成的库里当然也有这一层。Keras 的叫 `keras.layers.MultiHeadAttention`；KerasHub（以前叫 KerasNLP，`import keras_nlp` 的老代码指的也是它）的 `TransformerEncoder` 用的就是它，生成文本用的 `CachedMultiHeadAttention` 则是它的子类。换库时要当心两处：

- 参数顺序是 `(query, value, key)`，不是 `(query, key, value)`；
- 权重矩阵（kernel）的形状是 (D, N, H)，我们的是 (D, D)：一次 reshape 就对上了，因为第 n 个头正好是第 n 段。

把你那一层的参数搬过去，结果应当一样。（没装 KerasHub 也没关系，会跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 3a.13 The same thing in Keras and KerasHub

The libraries of the trade have this layer, of course. Keras calls it `keras.layers.MultiHeadAttention`; the `TransformerEncoder` of KerasHub (once KerasNLP: old code with `import keras_nlp` means the same) is built on it, and `CachedMultiHeadAttention`, for generating text, is a subclass. Two things to watch when you switch:

- the order of arguments is `(query, value, key)`, not `(query, key, value)`;
- kernels have shape (D, N, H) where ours have (D, D): one reshape is enough, because head n is exactly the n-th block.

Carry the weights of your layer over and the results should agree. (Without KerasHub that line is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("scaled_dot_product", "split_heads", "MultiHeadAttention"):
    libraries = {"keras.layers.MultiHeadAttention": keras.layers.MultiHeadAttention}
    try:
        from keras_hub.layers import CachedMultiHeadAttention

        libraries["keras_hub.layers.CachedMultiHeadAttention"] = CachedMultiHeadAttention
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

    rng = np.random.default_rng(4)
    our_query, our_key = tensor(rng.normal(size=(2, 5, 24))), tensor(rng.normal(size=(2, 7, 24)))
    our_value = tensor(rng.normal(size=(2, 7, 20)))
    our_mask = ops.convert_to_tensor(rng.random((2, 5, 7)) < 0.7)
    ours = MultiHeadAttention(num_heads=4, hidden_dim=24)
    our_output, _ = ours(our_query, our_key, our_value, attention_mask=our_mask)
    copied = []
    for dense in (ours.query_dense, ours.key_dense, ours.value_dense):
        kernel, bias = dense.get_weights()
        copied += [kernel.reshape(-1, 4, 6), bias.reshape(4, 6)]
    kernel, bias = ours.output_dense.get_weights()
    copied += [kernel.reshape(4, 6, 24), bias]

    for name, layer_class in libraries.items():
        theirs = layer_class(num_heads=4, key_dim=6, output_shape=24)
        theirs.build(our_query.shape, our_value.shape, our_key.shape)
        theirs.set_weights(copied)  # query, key, value, output
        their_output = theirs(our_query, our_value, our_key, attention_mask=our_mask)
        difference = np.abs(np.asarray(their_output) - np.asarray(our_output)).max()
        print(f"{name:45} {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}")

# %% [markdown] lang="zh"
r"""
## 3a.14 常见误解

下面五句话，网上的笔记里都能找到。先逐句判断对不对，再看数字。

1. 除以 $\sqrt{d}$ 以后，分数矩阵就服从标准正态分布。
2. softmax 之后把权重清零，就算是遮住了。
3. 填充的向量是 0，所以不遮也没关系。
4. 两个向量夹角越小，点积越大。
5. 注意力权重解释了模型为什么这样回答。
"""

# %% [markdown] lang="en"
r"""
## 3a.14 Myth box

You can find these five sentences in notes on the web. Judge each of them first, then look at the numbers.

1. After division by $\sqrt{d}$ the matrix of scores is standard normal.
2. Setting weights to zero after the softmax is masking.
3. Pads are zero vectors, so they do no harm without a mask.
4. The smaller the angle between two vectors, the larger their dot product.
5. Attention weights explain why the model answers as it does.
"""

# %% tags=["experiment"]
if ready("scaled_dot_product"):
    rng = np.random.default_rng(5)

    # 1: 64 queries, 64 keys of size 8
    scores = rng.normal(size=(500, 64, 8)) @ rng.normal(size=(500, 8, 64)) / math.sqrt(8)
    normal = rng.normal(size=scores.shape)
    for name, s in (
        (text("点积 / sqrt(8)", "scores / sqrt(8)"), scores),
        (text("标准正态      ", "standard normal "), normal),
    ):
        fourth, rank = np.mean(s**4) / np.mean(s**2) ** 2, np.linalg.matrix_rank(s[0])
        say(
            f"1 {name}  方差 {np.var(s):.2f}  四阶矩比 {fourth:.2f}  秩 {rank}",
            f"1 {name}  variance {np.var(s):.2f}  fourth-moment ratio {fourth:.2f}  rank {rank}",
        )

    # 2: three keys, the last one hidden; then another hidden key, one that scores far higher
    louder = tensor([[1, 0, 1, 1], [1, 3, 0, 0], [9, 9, 9, 9]])
    for name, keys in (
        (text("藏起来的键分数低", "hidden key scores low "), HAND_KEY),
        (text("藏起来的键分数高", "hidden key scores high"), louder),
    ):
        _, w = scaled_dot_product(HAND_QUERY, keys, HAND_VALUE)
        kept = np.asarray(w)[0] * [1, 1, 0]  # set to zero after the softmax
        say(
            f"2 {name}  权重 {np.round(kept, 4)}  和 {kept.sum():.4f}",
            f"2 {name}  weights {np.round(kept, 4)}  sum {kept.sum():.4f}",
        )

    # 3: the same sentence with 0, 5, 50 pads of zeros behind it
    asking, real_keys = tensor(-np.ones((1, 4))), tensor(rng.random((6, 4)))
    for pads in (0, 5, 50):
        padded = ops.concatenate([real_keys, ops.zeros((pads, 4))])
        _, w = scaled_dot_product(asking, padded, padded)
        taken = np.asarray(w)[0, 6:].sum()
        say(
            f"3 {pads:2} 个零向量的填充，拿走 {taken:.1%} 的权重",
            f"3 {pads:2} pads of zeros take {taken:.1%} of the weight",
        )

    # 4: same direction but short, against 60 degrees off but long
    q = np.array([1.0, 0.0])
    for degrees, norm in ((0, 1), (60, 3)):
        angle = math.radians(degrees)
        k = norm * np.array([math.cos(angle), math.sin(angle)])
        say(
            f"4 夹角 {degrees:2} 度，长度 {norm}：点积 {q @ k:.2f}",
            f"4 angle {degrees:2} degrees, length {norm}: dot product {q @ k:.2f}",
        )

# %% [markdown] lang="zh"
r"""
第 5 句换个角度量。看“哪个词”模型的每一个头：“它”的一行权重 $w$（$T$ 个数）去加权 $T$ 个值向量，而每个值向量只有 $H = 8$ 个分量。$T > H + 1$，所以多半还有别的权重，同样非负、和为 1，给出的却是**同一个输出**。课程库里的 `equivalent_weights` 从 $w$ 出发，专挑不改变输出的方向走，走许多回，替每个头找一个离 $w$ 尽量远的 $w'$：
"""

# %% [markdown] lang="en"
r"""
Number 5 from another side. Take every head of the "word" model: the row $w$ of *it* ($T$ numbers) weighs $T$ value vectors, and each of those has only $H = 8$ components. $T > H + 1$, so as a rule there are other weights, non-negative and with sum 1 as well, that give **the same output**. The library's `equivalent_weights` sets out from $w$, walks only in directions that leave the output alone, does so many times, and finds for each head a $w'$ as far from $w$ as it can:
"""

# %% tags=["experiment"]
if trained():
    word_model, shown = models["word"], len(tired.tokens)
    tired_ids, tired_pronoun, _ = arrays([tired])
    all_open = np.ones((max_length, max_length), dtype=bool)
    _, rows, inputs = word_model.look(tired_ids, tired_pronoun, all_open)
    w = np.asarray(rows, "float64")[0, :, :, :shown]  # (L, N, T)
    other = np.empty_like(w)
    for layer in range(2):
        values = split_heads(word_model.attentions[layer].value_dense(inputs[layer]), 4)
        values = np.asarray(values, "float64")[0, :, :shown]  # (N, T, H)
        for head in range(4):
            w[layer, head] /= w[layer, head].sum()  # float32 leaves the last digits open
            other[layer, head] = equivalent_weights(w[layer, head], values[head])
            moved = np.abs(other - w)[layer, head].sum() / 2
            change = np.abs((other - w)[layer, head] @ values[head]).max()
            say(
                f"{layer + 1}-{head + 1}：挪动了 {moved:.0%} 的权重，输出最多变了 {change:.0e}",
                f"{layer + 1}-{head + 1}: {moved:.0%} of the weight moved, "
                f"the output by {change:.0e} at most",
            )
    names = ["w", "w'"]
    display(query_rows([tired.tokens] * 2, [w, other], tired.pronoun, names=names))

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 方差是 1，但尾巴更厚（正态的四阶矩比是 3，这里约 $3 + 6/d$），而且 $64 \times 64$ 的矩阵秩只有 8：各个分数远不独立。训练以后连方差 1 也不保。
2. **错。** 和不是 1；更糟的是，藏起来的键还在分母里：它的分数越高，别的词的权重就越小（第二行几乎全没了）。它没有被遮住，只是没被读出来。
3. **错。** 零向量的分数是 0，$e^0 = 1$；别的分数是负的时候，它反而最大。何况真模型里还有偏置和位置，填充根本不是 0。
4. **半对。** 长度相同才成立。$q \cdot k = \lVert q \rVert \lVert k \rVert \cos\theta$，长度也算数。
5. **半对。** 权重是线索。可同一个输出可以来自很不一样的权重：权重集中在少数几个词上的行，几乎动不了；分散在许多词上的行，可以挪动一大块（上图）；而且句子越长，余地越大（见 [Brunner 等 2020](https://arxiv.org/abs/1908.04211)）。再说，3a.9 里那个“哪一个”模型，不看正确的名词也能答对。争论的两边都值得读：[Attention is not Explanation](https://arxiv.org/abs/1902.10186) 和 [Attention is not not Explanation](https://arxiv.org/abs/1908.04626)。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** The variance is 1, but the tails are heavier (a normal has a fourth-moment ratio of 3, these about $3 + 6/d$), and the $64 \times 64$ matrix has rank 8 only: the scores are far from independent. After training not even the variance is 1.
2. **Wrong.** The sum isn't 1; worse, the hidden key is still in the denominator: the higher it scores, the less the others get (in the second line next to nothing). It isn't masked, merely not read out.
3. **Wrong.** A zero vector scores 0, and $e^0 = 1$; when the other scores are negative, it is the largest of all. And in a real model biases and positions see to it that a pad isn't 0 at all.
4. **Half true.** It holds for equal lengths. $q \cdot k = \lVert q \rVert \lVert k \rVert \cos\theta$, and lengths count.
5. **Half true.** Weights are a lead. But one output can come from very different weights: rows whose weight sits on a few words hardly move, rows spread over many can move a lot (picture above); and the longer the sentence, the more freedom (see [Brunner et al. 2020](https://arxiv.org/abs/1908.04211)). Besides, the "which" model of 3a.9 answers without looking at the right noun. Both sides of the debate are worth reading: [Attention is not Explanation](https://arxiv.org/abs/1902.10186) and [Attention is not not Explanation](https://arxiv.org/abs/1908.04626).
"""

# %% [markdown] lang="zh" exercise="written_ch03a_self_attention"
r"""
## 3a.15 简答题

一位同事给你看一张图：某个模型第 2 层第 3 个头，在“累”的句子里“它”把 80% 的权重给了动物，在“宽”的句子里给了街道。他说：“瞧，这个模型懂得指代了。”

用 150 字左右回答：这张图支持他的说法吗？举出本章里你**自己跑出来的**两个数字，一个对他有利，一个对他不利；再提出一个他应当补做的实验，并说明什么样的结果会让你改变看法。

这道题由老师评阅，不计入 38 分。好的回答里有两个数字（各说明什么）、一个实验（动哪里，跟什么比）和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch03a_self_attention"
r"""
## 3a.15 Written question

A colleague shows you a picture: in layer 2, head 3 of some model, *it* gives 80 % of its weight to the animal in the "tired" sentence and to the street in the "wide" sentence. "Look," he says, "this model understands reference."

Answer in about 100 words: does the picture support him? Quote two numbers from this notebook that **you ran yourself**, one in his favour and one against; then propose one experiment he ought to add, and say which result would change your mind.

Your teacher reads this one; it is not part of the 38 points. A good answer has two numbers (and what each of them shows), one experiment (what is changed, and compared with what) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 区分“权重移动了”和“因此答对了”，并引用两个本章的数字（如第二层对正确名词的平均权重；遮住以后的准确率；“哪一个”模型的对照；权重移动而输出不变）。
2. 补做的实验是干预（遮住、换词、去掉这个头），或在很多句子上做统计，并有对照（另一个名词、另一个头、随机模型）；不是再画几张图。
3. 事先说清哪种结果支持、哪种结果推翻他的说法。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Tells "the weight moved" from "that is why the answer is right", and quotes two numbers of this notebook (such as the mean weight on the right noun in layer two; accuracy with the door closed; the "which" model as contrast; weights moved and output unchanged).
2. The added experiment intervenes (close a door, swap a word, remove the head) or counts over many sentences, with a control (the other noun, another head, a random model); more pictures don't count.
3. Says beforehand which result would support him and which would refute him.
"""

# %% [markdown] lang="zh"
r"""
## 3a.16 小结：半页带走

**一个公式。** 查询和键的点积定权重，权重去加权值：

$$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{H}}\right) V$$

**五个形状。** T 个查询，S 个键；分成 N 个头时，前面的轴就是 (B, N)，而 H = D / N：

| 张量 | 形状 | 记住 |
|---|---|---|
| 查询 | (..., T, H) | 自注意力时 T = S |
| 键 | (..., S, H) | H 一乘就消失 |
| 值 | (..., S, V) | V 不必等于 H |
| 权重 | (..., T, S) | 每行属于一个查询，和是 1 |
| 输出 | (..., T, V) | 合头以后是 (B, T, D) |

**三条掩码规则。**

1. 布尔，`True` = 可以看；不许看的分数在 softmax **之前**换成 `-3e4`，不乘 0，也不在事后清零。
2. 填充关的是键，也就是**列**；因果关的是对角线的右上方，对角线留着；几张表用“与”合起来。
3. 用测试来查：谁都可以看的时候，填充改成什么，真词都不许动；有因果掩码的时候，后面的词改成什么，前面的输出都不许动。

还有一句：注意力图是线索，遮住再看，才是证据。
"""

# %% [markdown] lang="en"
r"""
## 3a.16 Half a page to take with you

**One formula.** Dot products of query and key make the weights, and the weights weigh the values:

$$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{H}}\right) V$$

**Five shapes.** T queries, S keys; with N heads the axes in front are (B, N), and H = D / N:

| Tensor | Shape | Remember |
|---|---|---|
| query | (..., T, H) | in self-attention T = S |
| key | (..., S, H) | H disappears in the product |
| value | (..., S, V) | V need not equal H |
| weights | (..., T, S) | each row belongs to one query and sums to 1 |
| output | (..., T, V) | (B, T, D) once the heads are merged |

**Three rules for masks.**

1. Boolean, `True` = may look; forbidden scores become `-3e4` **before** the softmax. Don't multiply them by 0, and don't set weights to zero afterwards.
2. Padding closes keys, that is, **columns**; causality closes what lies above the diagonal and leaves the diagonal open; tables are joined by "and".
3. Test it: where everyone may look everywhere, no change of the pads may move a real word; under a causal mask, no change of later words may move an earlier output.

And one sentence: a picture of attention is a lead; a closed door is evidence.
"""

# %% [markdown] lang="zh"
r"""
## 3a.17 接下来

- **3b** 补上这里缺的零件：位置嵌入、层归一化、残差连接、前馈网络，装成一个完整的编码器块。
- **5c** 把你的 `MultiHeadAttention` 放进 BERT，装上真的预训练参数，逐层核对数值。
- **7a** 在真的 BERT 上看所有的头，带着今天的警惕。

想读原文：[Attention Is All You Need](https://arxiv.org/abs/1706.03762) 的 3.2 节只有两页，现在你每一行都写过了。把库里的写法跟你的对一对也有收获：打开 `bert_keras/layers/attention.py`。
"""

# %% [markdown] lang="en"
r"""
## 3a.17 Where next

- **3b** adds the missing parts: position embeddings, layer normalisation, residual connections, the feed-forward network, and makes a whole encoder block of them.
- **5c** puts your `MultiHeadAttention` into BERT, loads real pretrained weights and compares layer by layer.
- **7a** looks at all heads of a real BERT, with today's caution.

For the source: section 3.2 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762) has two pages, and by now you have written every line of it. Comparing the library's way with yours pays off too: open `bert_keras/layers/attention.py`.
"""
