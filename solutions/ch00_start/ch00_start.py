# %% [markdown] lang="zh"
r"""
# 0 从这里开始

这门课一步一步走到 BERT，每一步都由你自己写：每个笔记本（notebook）里有几道练习，写完马上知道对不对，错在哪里。这一本先把工具用熟：怎样做题、看提示、交作业；Keras 十五分钟入门；然后写四样今后天天用到的小东西。最后你会亲手训练一个模型，让它把一批句子背下来，并且看清楚：背下来，还不等于学会了。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `padding_mask_from_ids` | 2 | 8 | 核心 | 布尔；`True` = 真词 | 长短不一的句子 |
| `masked_mean` | 3 | 12 | 核心 | 没有真词的句子得 0 | 同上 |
| `ScaleShift` | 6 | 25 | 核心 | 先乘后加；参数名是 `scale` 和 `shift` | 随机张量 |
| `train_to_overfit` | 4 | 12 | 核心 | 损失（loss）取整批的平均，在更新之前记下 | 一小批句子 |
| `drill_ch00_start` | 3 | 12 | 核心 | 同 `masked_mean` | 一段有错误的代码 |
| `written_ch00_start` | 0 | 10 | 核心 | 老师评阅，不计入 18 分 | 本章的图和数字 |

核心练习 18 分，没有加分题。练习大约 70 分钟（简答题另算），连同阅读和实验大约两小时；0.6 之前适合歇一歇。
"""

# %% [markdown] lang="en"
r"""
# 0 Start here

This course works its way up to BERT one step at a time, and you write every step yourself: each notebook has a few exercises, and as soon as you have written one you know whether it is right and, if not, what is wrong. This first notebook is for getting used to the tools: how to work, read hints and hand in; Keras in fifteen minutes; then four small things that you will use every day from here on. In the end you train a model with a loop of your own until it knows a batch of sentences by heart, and see plainly that knowing by heart isn't understanding yet.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `padding_mask_from_ids` | 2 | 8 | core | boolean; `True` = a real word | sentences of several lengths |
| `masked_mean` | 3 | 12 | core | a sentence without a real word gives 0 | the same |
| `ScaleShift` | 6 | 25 | core | multiply, then add; the weights are called `scale` and `shift` | random tensors |
| `train_to_overfit` | 4 | 12 | core | the loss is the mean over the batch, noted before the update | a small batch of sentences |
| `drill_ch00_start` | 3 | 12 | core | as in `masked_mean` | code with one bug |
| `written_ch00_start` | 0 | 10 | core | read by your teacher, not part of the 18 points | the pictures and numbers of this notebook |

18 core points, no stretch exercises. The exercises take about 70 minutes (the written question comes on top), with reading and experiments about two hours; before 0.6 is a good moment for a break.
"""

# %% [markdown] lang="zh"
r"""
## 0.1 怎么用这个笔记本

笔记本由单元格（cell）组成：有的是文字，有的是代码。点中一个代码单元格，按 `Shift` + `Enter` 运行它，光标就到下一格。请从上到下**按顺序**运行，后面的格子要用前面的结果。

**一道练习有三样东西。** 先是约定：参数、形状、返回什么，全写在里面；再是要你填的代码；最后是一行 `check(...)`，运行它就知道结果：

- 每道题由几项检查组成，每项单独给分，不必全对才有分。
- 错了，它先说**哪里不一样**，再说**该看哪里**；认得出来的错误，还会说出**是什么错误**。
- 提示是折起来的，一条比一条说得多，点开才看得到。点开不扣分，再检查多少次也不扣分。答案不会出现在提示里。

**改坏了怎么办。** 菜单里的“重启内核”（Restart Kernel）把内存清空，你写的代码不会丢；重启以后从头运行就行。真要找回原样，就到拿到这个文件的地方（老师发的，或者课程文件夹里 course/zh 下面的 ch00_start）再拷一份，放进另一个文件夹，免得盖掉自己写的。

代码里的名字、注释和文档字符串（docstring）一律是英文。其中的 token（词元）今天就当作“词”来读，两者的差别以后再讲。

先运行下面这一格，它把今天要用的东西准备好。
"""

# %% [markdown] lang="en"
r"""
## 0.1 How to use this notebook

A notebook is made of cells: some hold text, some code. Click on a code cell and press `Shift` + `Enter`: it runs, and you are at the next one. Run them from top to bottom, **in order**, because later cells use what earlier ones made.

**An exercise has three parts.** First the contract: arguments, shapes, what comes back; nothing is left unsaid. Then the code that you fill in. Then one line `check(...)`; run it and you know:

- Every exercise is checked in several parts, each with points of its own; you needn't get all of it right to get some.
- When something is wrong it says **what differs** first, then **where to look**, and if it knows the mistake, **which mistake** it is.
- Hints are folded up, each says more than the one before, and you see one only when you open it. Opening costs nothing, and neither does checking again, as often as you like. The answer is never among them.

**When things are in a mess.** "Restart Kernel" in the menu empties the memory, while the code that you wrote stays; run from the top afterwards. If you want the original back, go to where you got this file (your teacher, or ch00_start under course/en in the course's folder) and copy it once more, into another folder, so that it doesn't overwrite what you wrote.

Docstrings in the code speak of *tokens*; for today these are simply words.

Now run the next cell; it gets everything ready for today.
"""

# %%
import pathlib
import tempfile
import time
import warnings

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.text.corpora import referent
from bert_keras.text.corpora.referent_scenes import SCENES
from bert_keras.training import devices
from bert_keras.training.gradients import value_and_gradients

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 0.2 十五分钟认识 Keras

### 张量和运算

**张量**（tensor）就是一块排列整齐的数：可以只有一排，可以是有行有列的一张表，也可以有更多的方向。它有形状（shape）：每根轴（axis）有多长；还有类型（dtype）：整数、浮点数、布尔。对张量的运算都在 `ops` 里，名字和 NumPy 差不多；底下真正算数的是后端（TensorFlow、JAX 或 PyTorch），换后端不用改代码。

运行之前，先猜每一行打印什么。
"""

# %% [markdown] lang="en"
r"""
## 0.2 Keras in fifteen minutes

### Tensors and operations

A **tensor** is a block of numbers along any number of axes: one for a row, two for a table, and so on. It has a shape, the length of each of its axes, and a dtype: integer, float, boolean. The operations on tensors are in `ops` and have much the same names as in NumPy; a backend (TensorFlow, JAX or PyTorch) does the arithmetic underneath, and changing it doesn't change your code.

Guess what each line prints before you run it.
"""

# %%
numbers = ops.reshape(ops.arange(6, dtype="float32"), (2, 3))  # (2, 3)
print(np.asarray(numbers))  # np.asarray: only to print it without decoration
print(numbers.shape, keras.backend.standardize_dtype(numbers.dtype))
for axis in (0, 1):
    print(f"axis={axis}", np.asarray(ops.sum(numbers, axis=axis)))
column = ops.expand_dims(ops.convert_to_tensor([10.0, 20.0]), axis=1)  # (2, 1)
print(np.asarray(numbers + column))  # (2, 3) + (2, 1): the column is repeated
print(np.asarray(numbers > 2))

# %% [markdown] lang="zh"
r"""
三件事值得记住。`axis=0` 是把第 0 根轴**加没了**：(2, 3) 变成 (3,)。(2, 3) 加 (2, 1) 时，长度为 1 的轴会自动重复，这叫**广播**（broadcasting）：省事，也最容易出错，因为形状凑巧对得上时，写错了也不报错。比较的结果是布尔，今后所有的掩码（mask）都是这样来的。

### 层、模型、训练

**层**（layer）是带参数（parameter）的函数。第一次调用时它才知道输入有多少特征，参数这时才建出来。把几层叠起来就是**模型**（model），`compile` 说明怎么学，`fit` 就开始学。

下面的数据由程序造：平面上的点，横、纵坐标同号是一类，异号是另一类（叫作“异或”）。**先预测**：一条直线分得开这两类吗？没有中间层的模型准确率会是多少？
"""

# %% [markdown] lang="en"
r"""
Three things to remember. `axis=0` makes axis 0 **disappear**: (2, 3) becomes (3,). In (2, 3) plus (2, 1) the axis of length 1 is repeated by itself, which is called **broadcasting**: handy, and the easiest way to go wrong, since where shapes happen to fit a mistake raises no error. Comparing gives booleans, and all the masks of this course are made like that.

### Layers, models, training

A **layer** is a function with parameters. Only when it is first called does it learn how many features there are, and then its parameters are made. Layers on top of each other are a **model**; `compile` says how it should learn, and `fit` makes it learn.

A program makes the data below: points in the plane, one class where both coordinates have the same sign, the other where they differ (the "exclusive or"). **Predict first**: does any straight line separate the two? How accurate will a model without a layer in between be?
"""

# %% tags=["experiment"]
rng = np.random.default_rng(0)
points = rng.uniform(-1, 1, (600, 2)).astype("float32")  # (N, 2)
same_sign = (points[:, 0] * points[:, 1] > 0).astype("int32")  # (N,)
train_points, test_points = points[:400], points[400:]
train_class, test_class = same_sign[:400], same_sign[400:]


def small_model(hidden):
    keras.utils.set_random_seed(1)
    between = [keras.layers.Dense(hidden, activation="relu")] if hidden else []
    model = keras.Sequential([*between, keras.layers.Dense(2)])
    model.compile(
        optimizer=keras.optimizers.Adam(0.03),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


histories = {}
for hidden in (0, 16):
    model = small_model(hidden)
    histories[hidden] = model.fit(train_points, train_class, epochs=30, batch_size=100, verbose=0)
    _, accuracy = model.evaluate(test_points, test_class, verbose=0)
    say(
        f"中间层 {hidden:2} 个单元，{model.count_params():3} 个参数：新点上的准确率 {accuracy:.2f}",
        f"{hidden:2} units in between, {model.count_params():3} parameters: "
        f"accuracy on new points {accuracy:.2f}",
    )
for weight in model.weights:
    print(f"   {weight.path:28} {tuple(weight.shape)}")

words = chart_words(LANG)
with chart(1, width=5) as (axis,):
    for i, (hidden, history) in enumerate(histories.items()):
        label = words(f"中间层 {hidden} 个单元", f"{hidden} units in between")
        axis.plot(history.history["loss"], color=COLOURS[i], linestyle=STYLES[i], label=label)
    axis.set(xlabel=words("轮", "epoch"), ylabel=words("损失", "loss"), ylim=(0, None))
    axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
没有中间层，准确率和抛硬币差不多：一条直线确实分不开。多一层 16 个单元，就学会了。

`from_logits=True` 的意思是：模型最后一层给的是 logits，也就是 softmax 之前的数，softmax 由损失函数自己做。这句话记牢，0.7 要用。

### 保存和重新装入

一个 `.keras` 文件里有模型的结构、参数和优化器（optimizer）的状态。存了再装回来，预测应当一个数也不差。
"""

# %% [markdown] lang="en"
r"""
Without a layer in between it is no better than a coin: a straight line really doesn't separate them. One layer of 16 units, and it learns.

`from_logits=True` means: the last layer of the model gives logits, the numbers before a softmax, and the loss does the softmax itself. Keep that in mind for 0.7.

### Saving and loading

A `.keras` file holds the structure of a model, its parameters and the state of its optimizer. Saved and loaded again, it should predict exactly the same numbers.
"""

# %% tags=["experiment"]
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "small.keras"
    model.save(path)
    again = keras.models.load_model(path)
    size = path.stat().st_size
difference = np.abs(np.asarray(model(test_points)) - np.asarray(again(test_points)))
say(
    f"文件 {size / 1000:.0f} kB，预测最多相差 {difference.max():.1g}",
    f"a file of {size / 1000:.0f} kB, predictions differ by {difference.max():.1g} at most",
)

# %% [markdown] lang="zh"
r"""
## 0.3 在哪里算

有显卡（GPU）或 TPU 的话，后端会自己用上，代码一个字也不用改。这门课所有的练习和实验，两个核的笔记本电脑就够，也不用联网。下面看看你这台机器上有什么；再看一件常让人吃惊的事：同一个调用，第一次和第二次各用多久？
"""

# %% [markdown] lang="en"
r"""
## 0.3 Where the computation runs

If there is a GPU or a TPU, the backend uses it by itself, without a change to your code. Every exercise and experiment of this course runs on a two-core laptop, without a network. Here is what your machine has; and then something that surprises many: how long does one and the same call take the first time, and the second?
"""

# %% tags=["experiment"]
machine = devices.describe()
labels = {
    "backend": text("后端", "backend"),
    "backend_version": text("后端的版本", "its version"),
    "devices": text("在哪里算", "computes on"),
    "processors": text("处理器的核数", "processor cores"),
}
for name, label in labels.items():
    print(f"   {label}: {machine[name]}")
print(f"   Keras: {keras.__version__}")
timed = small_model(16)
for turn in (text("第一次", "first "), text("第二次", "second")):
    start = time.perf_counter()
    timed.predict(test_points, verbose=0)
    milliseconds = 1000 * (time.perf_counter() - start)
    say(f"   {turn} predict：{milliseconds:.0f} 毫秒", f"   {turn} predict: {milliseconds:.0f} ms")

# %% [markdown] lang="zh"
r"""
第一次慢得多：`predict` 和 `fit` 先把你的 Python 代码变成一张计算图，以后就只跑这张图。两个后果：计时的时候，第一次不算；建计算图的时候，一批里有几句还不知道（`None`），今后写层的时候会碰到。

想换后端：在启动之前设环境变量 `KERAS_BACKEND=jax`（要先装好 JAX）。在 Colab 上用显卡：菜单里选带 GPU 的运行时。
"""

# %% [markdown] lang="en"
r"""
The first is much slower: `predict` and `fit` turn your Python code into a graph of operations before anything else, and from then on only the graph runs. Two consequences. When you measure time, the first call doesn't count. And while the graph is traced nobody knows yet how many sentences a batch has (`None`), which you will meet when writing layers.

To change the backend set the environment variable `KERAS_BACKEND=jax` before you start (with JAX installed). To use a GPU on Colab pick a runtime with one in the menu.
"""

# %% [markdown] lang="zh"
r"""
## 0.4 练习：哪些是真词？

电脑不认识词，只认识编号：词表（vocabulary）里第几个词，编号就是几。一批句子有长有短，要装进同一个张量，短的就得补上**填充**（padding，写作 `[PAD]`），它的编号通常是 0。今天的句子来自这门课自己造的语料（程序生成，不用下载，也没有版权问题），3a 会用它来研究“它”指谁。

先看看填充有什么害处。给每个词一个随机的向量，一句话就用它各个词的平均向量来代表。**预测一下**：同一句话，后面补 5 个、20 个填充，平均向量还是那个方向吗？
"""

# %% [markdown] lang="en"
r"""
## 0.4 Exercise: which words are real?

A computer doesn't know words, only ids: the place of a word in the vocabulary. Sentences in a batch differ in length, and to fit into one tensor the short ones are filled up with **padding** (written `[PAD]`), whose id is usually 0. Today's sentences come from a corpus that this course makes itself (generated by a program: nothing to download, nobody's copyright); 3a uses it to find out whom "it" means.

First, what harm does padding do? Give every word some random vector and let the mean of its words stand for a sentence. **Predict**: with 5 or 20 pads behind it, does the mean vector of one and the same sentence still point the same way?
"""

# %% tags=["experiment"]
vocabulary = referent.vocabulary(LANG)  # id 0 is [PAD]
sentences = text(
    ["它 太 宽 了", "那只 小狗 太 累 了", "那只 动物 没有 穿过 那条 街道 ， 因为 它 太 累 了"],
    [
        "it was too wide",
        "the dog was too tired",
        "the animal didn't cross the street because it was too tired",
    ],
)
lists = [[vocabulary.index(word) for word in sentence.split()] for sentence in sentences]
longest = max(len(ids) for ids in lists)
batch_ids = np.array([ids + [0] * (longest - len(ids)) for ids in lists], dtype="int32")  # (3, T)
for row in batch_ids:
    print(row, " ".join(vocabulary[i] for i in row))

vectors = np.random.default_rng(1).normal(size=(len(vocabulary), 16)).astype("float32")  # (V, D)
sentence_ids = batch_ids[2:]  # (1, T), the long one


def padded(pads):
    return np.pad(sentence_ids, ((0, 0), (0, pads)))  # (1, T + pads)


def cosine(a, b):
    a, b = np.ravel(a), np.ravel(b)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


numbers_of_pads = [0, 1, 2, 5, 10, 20, 50]
plain_means = [vectors[padded(pads)].mean(axis=1) for pads in numbers_of_pads]
for pads, mean in zip(numbers_of_pads, plain_means):
    turned = cosine(mean, plain_means[0])
    say(
        f"补 {pads:2} 个填充：和原来的余弦 {turned:5.2f}，向量长度 {np.linalg.norm(mean):.2f}",
        f"{pads:2} pads: cosine with the original {turned:5.2f}, length {np.linalg.norm(mean):.2f}",
    )

# %% [markdown] lang="zh"
r"""
填充一多，句子的向量就被拉到 `[PAD]` 那边去了，而这句话一个字也没变。所以第一件事是知道哪些是真词。

写 `padding_mask_from_ids(token_ids, pad_id=0)`：

- `token_ids`：整数，形状 (B, T)，B 句话，每句 T 个编号。
- `pad_id`：填充的编号，一个整数。多数词表里是 0，但不总是。
- **返回**布尔张量，形状 (B, T)：真词处是 `True`，填充处是 `False`。一格是不是填充，只看这一格的编号：填充可能在句末，也可能在句首或中间。

```text
token_ids   7  3  9  0  0      →   True True True False False
            2  5  0  0  0          True True False False False
```

**第一次，故意做错。** 先什么也别写，照原样运行这一格，再运行下面的 `check`，看看“空着”是什么样子。再写一个反的（真词处给 `False`），运行，读一读它说什么，把两条提示依次点开。最后再写对的。
"""

# %% [markdown] lang="en"
r"""
The more padding, the more the vector of the sentence is drawn towards `[PAD]`, though not a word of it has changed. So the first thing is to know which words are real.

Write `padding_mask_from_ids(token_ids, pad_id=0)`:

- `token_ids`: integers of shape (B, T), B sentences of T ids.
- `pad_id`: the id of the padding, an int. In most vocabularies it is 0, but not in all.
- **Returns** a bool tensor of shape (B, T): `True` at real words, `False` at padding. Whether a cell is padding depends on the id in that cell alone: pads may stand at the end, but in front or in between as well.

```text
token_ids   7  3  9  0  0      →   True True True False False
            2  5  0  0  0          True True False False False
```

**For once, do it wrong on purpose.** Write nothing at first: run the cell as it is and then the `check` below, and see what "blank" looks like. Then write the opposite (`False` at real words), run it, read what it says and open the two hints one after the other. Then write it right.
"""

# %% exercise="padding_mask_from_ids"
from bert_keras.layers.masks import padding_mask_from_ids

# %% check="padding_mask_from_ids"
check("padding_mask_from_ids", padding_mask_from_ids)

# %% [markdown] lang="zh"
r"""
**看一看。** 三句长短不一的话，`■` 是真词，`·` 是填充：
"""

# %% [markdown] lang="en"
r"""
**See it.** Three sentences of different length; `■` is a real word and `·` a pad:
"""

# %% tags=["experiment"]
if ready("padding_mask_from_ids"):
    shown = np.asarray(padding_mask_from_ids(ops.convert_to_tensor(batch_ids)))
    for row, ids in zip(shown, batch_ids):
        print("".join("■" if real else "·" for real in row), f"{row.sum()} / {len(ids)}")

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：能不能不看编号，而看“向量是不是 0”来认填充？</summary>

不能。填充的向量不一定是 0（上面就不是），真词的向量也可能碰巧全是 0。何况以后每个位置还要加上位置向量，那时连填充处也不会是 0。要看的是编号。
</details>
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: instead of looking at ids, could you recognise pads by their vectors being 0?</summary>

No. The vector of a pad need not be 0 (above it isn't), and that of a real word may happen to be. Besides, later every position gets a position vector added, and then not even pads are 0. The id is the evidence.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 0.5 练习：只平均真词

写 `masked_mean(x, padding_mask)`：

- `x`：浮点，形状 (B, T, D)，每个位置一个向量。填充处是什么数都有可能（都是有限的数）。
- `padding_mask`：布尔，形状 (B, T)，真词处是 `True`。
- **返回**浮点张量，形状 (B, D)，类型与 `x` 相同：每句话里**真词**的平均向量。
- 一句话里一个真词也没有时，返回 0，不能是 NaN。
- `x.shape[0]` 在建计算图的时候可能是 `None`：拿批次大小去算的代码，这里算得对，放进 `fit` 就会出错。检查会提醒，不扣分。

先在纸上写：(B, T) 的掩码怎样去乘 (B, T, D) 的向量？少了哪根轴？(B, D) 要除以的“个数”该是什么形状，才能让每句除以自己的个数？（布尔不能直接拿来乘，先用 `ops.cast` 换成 `x` 的类型。）
"""

# %% [markdown] lang="en"
r"""
## 0.5 Exercise: the mean of the real words

Write `masked_mean(x, padding_mask)`:

- `x`: float of shape (B, T, D), one vector per position. At pads there may be anything (always finite).
- `padding_mask`: bool of shape (B, T), `True` at real words.
- **Returns** a float tensor of shape (B, D), dtype of `x`: the mean vector of the **real** words of every sentence.
- Where a sentence has no real word at all it returns 0, never NaN.
- `x.shape[0]` may be `None` while a graph is traced: code that computes with the batch size is right here and fails inside `fit`. The check reminds you of it, without points.

On paper first: how can a mask of shape (B, T) be multiplied into vectors of shape (B, T, D); which axis is missing? And what shape must the "count" have for every row of (B, D) to be divided by its own? (Booleans can't be multiplied as they are; `ops.cast` turns them into the dtype of `x` first.)
"""

# %% exercise="masked_mean"
from bert_keras.layers.pooling import masked_mean

# %% check="masked_mean"
check("masked_mean", masked_mean)

# %% [markdown] lang="zh"
r"""
**看一看。** 回到刚才的实验：补上越来越多的填充，两种平均各变多少？
"""

# %% [markdown] lang="en"
r"""
**See it.** Back to the experiment: with more and more pads, how far do the two means move?
"""

# %% tags=["experiment"]
if ready("padding_mask_from_ids", "masked_mean"):
    own_means = []
    for pads in numbers_of_pads:
        ids = ops.convert_to_tensor(padded(pads))
        own_means.append(masked_mean(ops.take(vectors, ids, axis=0), padding_mask_from_ids(ids)))
    words = chart_words(LANG)
    with chart(1, width=5) as (axis,):
        kinds = (
            (plain_means, words("所有位置的平均", "mean of all positions")),
            (own_means, words("真词的平均", "mean of the real words")),
        )
        for i, (means, label) in enumerate(kinds):
            turned = [cosine(mean, means[0]) for mean in means]
            axis.plot(
                range(len(turned)),
                turned,
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                label=label,
            )
        axis.set_xticks(range(len(numbers_of_pads)), numbers_of_pads)  # evenly, for the first ones
        axis.set_xlabel(words("补了几个填充", "number of pads"))
        axis.set_ylabel(words("和原来的余弦", "cosine with the original"))
        axis.legend(frameon=False)
    farthest = max(float(np.abs(np.asarray(mean) - own_means[0]).max()) for mean in own_means)
    say(f"真词的平均最多变了 {farthest:.1g}", f"the mean of the real words moves by {farthest:.1g}")

# %% [markdown] lang="zh"
r"""
**用一用。** 这就是全课最有用的一个测试：*补上填充，什么都不许动*。以后不管你写注意力、损失还是评测，都拿它来查。
"""

# %% [markdown] lang="en"
r"""
**Use it.** This is the most useful test of the whole course: *append pads, and nothing must change*. Whatever you write later, attention, a loss, a score, this is how you test it.
"""

# %% [markdown] lang="zh"
r"""
## 0.6 练习：你的第一个层

`ScaleShift` 给每个特征配两个数：先乘 `scale`，再加 `shift`。它小，但后面的章节一再用到它：层归一化的最后一步就是它。

$$y_{btd} = x_{btd} \cdot \mathrm{scale}_d + \mathrm{shift}_d$$

一个层要写四个方法：

| 方法 | 什么时候运行 | 你在里面做什么 |
|---|---|---|
| `__init__(initial_scale=1.0, **kwargs)` | 造这一层的时候 | 把 `**kwargs` 交给父类，留住 `initial_scale`，放行掩码 |
| `build(input_shape)` | 第一次调用之前 | 用 `add_weight` 登记两个参数 |
| `call(x)` | 每次调用 | 算 |
| `get_config()` | 保存的时候 | 返回一个字典，里面是再造这一层所需的一切 |

约定：

- 参数两个，形状都是 (D,)，D 是输入最后一轴的大小；名字（`name="..."`）和属性名都是 `scale` 和 `shift`。`scale` 的初值处处是 `initial_scale`，`shift` 的初值是 0。两个都可以训练。（初值用 `add_weight` 的 `initializer` 来定：不给就是随机数；可以给一个名字，如 `"zeros"`，也可以给 `keras.initializers` 里的一个对象，如 `Constant`，不能直接给一个数。）
- `x`：浮点，形状 (..., D)，前面有几根轴都行，长度可以每次不同。**返回**同样的形状。
- **放行掩码。** Keras 的掩码跟在张量后面走。一个自己写的层，默认会把它弄丢，后面的层就不知道哪些是填充了；Keras 只警告一次，很容易看漏。有一个属性可以告诉 Keras：掩码可以原样通过，它叫 `supports_masking`。
- `get_config()`：父类的那一份，加上 `initial_scale`。

四处空白都在下面的单元格里；`raise` 那一行要换掉。
"""

# %% [markdown] lang="en"
r"""
## 0.6 Exercise: a layer of your own

`ScaleShift` has two numbers for every feature: it multiplies by `scale`, then adds `shift`. It is small, and later chapters use it again and again: it is the last step of layer normalisation.

$$y_{btd} = x_{btd} \cdot \mathrm{scale}_d + \mathrm{shift}_d$$

A layer has four methods for you to write:

| Method | Runs | What you do in it |
|---|---|---|
| `__init__(initial_scale=1.0, **kwargs)` | when the layer is made | hand `**kwargs` to the base class, keep `initial_scale`, let masks pass |
| `build(input_shape)` | before the first call | register two weights with `add_weight` |
| `call(x)` | in every call | compute |
| `get_config()` | when it is saved | return a dict with all that is needed to make the layer again |

The contract:

- Two weights of shape (D,), where D is the size of the input's last axis; their names (`name="..."`) and their attributes are `scale` and `shift`. Every `scale` starts at `initial_scale` and every `shift` at 0. Both can be trained. (`initializer` of `add_weight` sets the first values, random ones if you leave it out; it is a name such as `"zeros"`, or an object of `keras.initializers` such as `Constant`, never a bare number.)
- `x`: float of shape (..., D), with any number of axes in front, whose lengths may differ from call to call. **Returns** the same shape.
- **Let masks pass.** In Keras a mask travels along with its tensor. A layer of your own loses it unless told otherwise, and the layers behind no longer know the pads; Keras warns once, which is easily missed. One attribute tells Keras that masks may pass as they are; it is called `supports_masking`.
- `get_config()`: the base class's part, and `initial_scale`.

All four blanks are in the cell below; each `raise` line has to go.
"""

# %% exercise="ScaleShift" blank="__init__,build,call,get_config"
from bert_keras.layers.scale_shift import ScaleShift

# %% check="ScaleShift"
check("ScaleShift", ScaleShift)

# %% [markdown] lang="zh"
r"""
**看一看。** 把它放进一个真的模型：词嵌入（`Embedding`，带 `mask_zero=True`，它会造出掩码），你的层，再求平均。掩码要是丢了，平均就会把填充算进去。然后存成文件，再装回来：`custom_objects` 告诉 Keras 去哪里找你的类。
"""

# %% [markdown] lang="en"
r"""
**See it.** Put it into a real model: an `Embedding` with `mask_zero=True`, which makes a mask, then your layer, then a mean. If the mask got lost the mean would include the pads. Then save it to a file and load it again: `custom_objects` tells Keras where to find your class.
"""

# %% tags=["experiment"]
if ready("ScaleShift"):
    keras.utils.set_random_seed(2)
    with_layer = keras.Sequential(
        [
            keras.layers.Embedding(len(vocabulary), 16, mask_zero=True),
            ScaleShift(initial_scale=2.0, name="mine"),
            keras.layers.GlobalAveragePooling1D(),
        ]
    )
    before = [with_layer(padded(pads)) for pads in numbers_of_pads]
    moved = max(float(np.abs(np.asarray(mean) - before[0]).max()) for mean in before)
    say(f"补上填充，输出最多变了 {moved:.1g}", f"with pads appended the output moves by {moved:.1g}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mine.keras"
        with_layer.save(path)
        loaded = keras.models.load_model(path, custom_objects={"ScaleShift": ScaleShift})
    change = np.abs(np.asarray(loaded(batch_ids)) - with_layer(batch_ids)).max()
    say(
        f"存了再装回来，输出最多变了 {change:.1g}；initial_scale 是 {loaded.layers[1].initial_scale}",
        f"saved and loaded, the output moves by {change:.1g}; initial_scale is "
        f"{loaded.layers[1].initial_scale}",
    )

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：参数为什么在 build 里建，而不在 __init__ 里？</summary>

造这一层的时候还不知道输入有多少特征。第一次调用时，Keras 先用输入的形状调用 `build`，这样你就不必自己把 D 告诉每一层。在 `call` 里建又太晚了：那时 Keras 认为这一层已经建好，不许再添参数，第一次调用就会报错。
</details>
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: why are the weights made in build and not in __init__?</summary>

When the layer is made nobody knows how many features there will be. At the first call Keras calls `build` with the shape of the input, so that you needn't tell every layer its D. In `call` it would be too late: by then Keras takes the layer to be built and lets nothing be added, so the first call raises an error.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 0.7 练习：把一批背下来

一段新的训练代码，第一个该做的测试是：拿一小批数据，反复训练，看它能不能**背下来**（损失接近 0）。背不下来，说明代码有错误：损失算错了，梯度（gradient）传不到某些参数，或者根本没有更新。

`fit` 把循环藏了起来；这里把它摊开。每一步做三件事：

```text
        x ── model ──▶ logits (B, C) ── loss_of ──▶ 一个数
                                                     │ 求导
    每个可训练的参数  ◀── optimizer ──  每个参数一个梯度
```

循环已经写好，挖了两个空：

1. `objective()`：算出这一批的损失，返回一个数。用上面造好的 `loss_of`（先给正确答案 `y`，再给模型的输出；它要的是 logits）。调用模型时写上 `training=True`，这样 dropout 之类的层知道是在训练。
2. 更新：用循环外面那个 `optimizer`，把**全部**可训练的参数各挪一步。`optimizer.apply(...)` 要两串东西，次序一致：梯度，参数。

`value_and_gradients` 是课程库的函数：它调用 `objective()`，再对每个参数求导，在 TensorFlow 和 JAX 上都能用。

参数：`model`（已经建好的模型），`x`（模型的输入，第一轴是 B），`y`（整数，形状 (B,)，类别编号），`steps`（走几步），`learning_rate`（学习率）。**返回**一对：每一步更新**之前**的损失（`steps` 个小数的列表），和最后的参数（`model.get_weights()`）。检查时用参数重新计算损失，所以报多少不算数，背下来才算数。
"""

# %% [markdown] lang="en"
r"""
## 0.7 Exercise: know a batch by heart

The first test for new training code: take a small batch, train on it again and again, and see whether the model can learn it **by heart** (a loss close to 0). If it can't, something is wrong with the code: the loss is miscalculated, the gradient doesn't reach some weights, or nothing is updated at all.

`fit` hides the loop; here it is spelt out. Every step does three things:

```text
        x ── model ──▶ logits (B, C) ── loss_of ──▶ one number
                                                     │ differentiate
    every trainable weight  ◀── optimizer ──  a gradient for each
```

The loop is written, with two holes in it:

1. `objective()`: work out the loss of this batch and return it as one number. Use the `loss_of` made above (the right answers `y` first, then what the model gives; it wants logits). Call the model with `training=True`, so that layers like dropout know that this is training.
2. The update: move **all** trainable weights by one step, with the `optimizer` from outside the loop. `optimizer.apply(...)` takes two lists in the same order: gradients, weights.

`value_and_gradients` is a function of the course's library: it calls `objective()` and differentiates by every weight, on TensorFlow and on JAX.

Arguments: `model` (built already), `x` (what goes into the model, B along its first axis), `y` (ints of shape (B,), the classes), `steps` (how many) and `learning_rate`. **Returns** a pair: the loss of each step **before** its update (a list of `steps` floats) and the weights in the end (`model.get_weights()`). The check computes the loss again from the weights, so what you report doesn't count; knowing the batch does.
"""

# %% exercise="train_to_overfit"
def train_to_overfit(model, x, y, steps, learning_rate):
    """Train on one batch again and again, until the model knows it by heart.

    Args:
        model: a built `keras.Model` that returns logits of shape (B, C).
        x: tensor, the input of the model, B examples.
        y: int tensor of shape (B,), the right classes.
        steps: int, how many updates.
        learning_rate: float.

    Returns:
        The pair (losses, weights): a list of floats, the mean loss of the batch before each update,
        and a list of arrays, the weights of the model after the last.
    """
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(learning_rate)

    def objective():
        """Return the loss of the batch, one number."""
        ### BEGIN SOLUTION
        return loss_of(y, model(x, training=True))
        ### END SOLUTION

    losses = []
    for _ in range(steps):
        loss, gradients = value_and_gradients(objective, model.trainable_variables)
        # Second hole: move all trainable weights.
        ### BEGIN SOLUTION
        optimizer.apply(gradients, model.trainable_variables)
        ### END SOLUTION
        losses.append(float(loss))
    return losses, model.get_weights()


# %% check="train_to_overfit"
check("train_to_overfit", train_to_overfit)

# %% [markdown] lang="zh"
r"""
**用一用：背下来，算学会了吗？** 把你写的四样东西都用上：`padding_mask_from_ids`、`masked_mean` 和 `ScaleShift`，前面加一个词嵌入，后面加一个 Dense，就是一个小模型；`train_to_overfit` 来训练它。取 64 句话，出三道题，每道题的标准答案都不同：

- **动物**：“它”指的是不是动物？（看最后那个形容词就知道，例如“累”是、“宽”不是。不过形容词有二十来个，64 句里每个平均只见得到两三次，有的一次也没有。）
- **先后**：“它”指的是第一个名词吗？（语料是平衡过的：任何一个单独的词都不泄露答案，而这个模型恰恰只看有哪些词，不看次序。）
- **硬币**：每句话随便抛一次硬币，没有任何道理。

**先把预测说死**：64 句训练句上，三道题的损失都会接近 0；另取 400 句没见过的，“动物”明显好于抛硬币，“硬币”就是抛硬币。“先后”呢？你来猜。
"""

# %% [markdown] lang="en"
r"""
**Use it: is knowing by heart the same as having learnt?** All four of your pieces go to work: `padding_mask_from_ids`, `masked_mean` and `ScaleShift`, with word embeddings in front and one Dense layer behind, make a small model, and `train_to_overfit` trains it. Take 64 sentences and ask three questions, each with answers of its own:

- **animal**: does *it* mean an animal? (The last adjective tells: "tired" does, "wide" doesn't. But there are two dozen of them; in 64 sentences each turns up two or three times on average, and some never.)
- **order**: does *it* mean the first noun? (The corpus is balanced: no single word gives that away, and single words are all that this model sees, not their order.)
- **coin**: a coin is tossed for every sentence, for no reason at all.

**Our predictions, in advance**: on the 64 training sentences all three losses come close to 0; on 400 sentences never seen, "animal" is clearly better than a coin and "coin" is a coin. And "order"? That's for you to guess.
"""

# %% tags=["experiment"]
class SentenceClassifier(keras.Model):
    """Your pieces in a row: a bag of words, scaled, with one Dense layer on top."""

    def __init__(self, num_words, num_classes, hidden_dim=16):
        super().__init__()
        self.words = keras.layers.Embedding(num_words, hidden_dim)
        self.scaled = ScaleShift(initial_scale=4.0)
        self.answer = keras.layers.Dense(num_classes)

    def call(self, token_ids):
        mean = masked_mean(self.words(token_ids), padding_mask_from_ids(token_ids))  # (B, D)
        return self.answer(self.scaled(mean))  # (B, C)


if ready("padding_mask_from_ids", "masked_mean", "ScaleShift", "train_to_overfit"):
    animals = {noun for _, noun in SCENES[LANG][0].nouns_a}
    about_animals = [s for s in referent.load(LANG, 3000, seed=5) if animals & set(s.tokens)]
    known, unseen = about_animals[:64], about_animals[-400:]
    longest = max(len(s.tokens) for s in about_animals)
    known_ids, unseen_ids = (referent.encode(group, LANG, longest)[0] for group in (known, unseen))
    coin = np.random.default_rng(6)

    def answers_to(question, sentences):
        if question == "animal":
            return np.array([s.tokens[s.referent] in animals for s in sentences], dtype="int32")
        if question == "order":
            return np.array([s.label == 0 for s in sentences], dtype="int32")
        return coin.integers(0, 2, len(sentences)).astype("int32")

    def accuracy_on(model, token_ids, answers):
        return np.mean(np.asarray(model(token_ids)).argmax(axis=1) == answers)

    questions = {
        "animal": (text("动物", "animal"), "animal"),
        "order": (text("先后", "order "), "order"),
        "coin": (text("硬币", "coin  "), "coin"),
    }
    curves = {}
    for question, (title, _) in questions.items():
        keras.utils.set_random_seed(7)
        bag = SentenceClassifier(len(vocabulary), 2)
        bag(known_ids)  # builds it
        right = answers_to(question, known)
        curves[question], _ = train_to_overfit(
            bag,
            ops.convert_to_tensor(known_ids),
            ops.convert_to_tensor(right),
            steps=100,
            learning_rate=0.05,
        )
        by_heart = accuracy_on(bag, known_ids, right)
        new = accuracy_on(bag, unseen_ids, answers_to(question, unseen))
        first, last = curves[question][0], curves[question][-1]
        say(
            f"{title}：损失 {first:.2f} → {last:.3f}；64 句训练句答对 {by_heart:.0%}，"
            f"400 句没见过的答对 {new:.0%}",
            f"{title}  loss {first:.2f} → {last:.3f}; right on the 64 training sentences "
            f"{by_heart:.0%}, on 400 new ones {new:.0%}",
        )

    words = chart_words(LANG)
    with chart(1, width=5) as (axis,):
        for i, (question, losses) in enumerate(curves.items()):
            label = words(questions[question][0].strip(), questions[question][1])
            axis.plot(losses, color=COLOURS[i], linestyle=STYLES[i], label=label)
        axis.set(xlabel=words("步", "step"), ylabel=words("这一批的损失", "loss of the batch"))
        axis.set_ylim(0, None)
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
三条损失曲线快慢不同，最后都掉到了底：64 句训练句，连毫无道理的“硬币”也背得一字不差。没见过的句子才说明问题：“动物”学到了东西（离满分还远：有的形容词它没见过几次，只好也靠碰巧一起出现的词）；“硬币”只能是抛硬币；“先后”也只是抛硬币，因为答案在词的**搭配**里，而这个模型只看有哪些词。要读懂搭配，得让词和词互相看，那是 3a 的事。

所以：背得下来，说明**代码**没问题（损失对，梯度到得了每个参数，更新起作用）；学没学会，要看没见过的数据。

<details><summary>细看：“先后”为什么停在 98% 和 0.022？</summary>

64 句里有两句用词完全相同，只差次序，答案却相反；只看词的模型分不开它们，损失最低就是 $2 \ln 2 / 64 \approx 0.022$。英文版的语料里没有这样的一对。
</details>
"""

# %% [markdown] lang="en"
r"""
The three curves fall at different speeds and all end on the floor: even the coin, which has no reason to it, is known by heart to the last sentence. Only new sentences tell: "animal" has learnt something (and is far from perfect: some adjectives it has hardly met, so it also leans on words that happened to come along); "coin" can be nothing but a coin; and "order" is a coin, too, because the answer lies in how words go **together**, and this model only sees which ones there are. To read how they go together, words must look at each other, and that is what 3a is about.

So: learning by heart shows that the **code** is sound (the loss is right, the gradient gets to every weight, the update works). Whether anything was understood is for data to say that the model has never seen.

<details><summary>A closer look: must the floor be 0?</summary>

Not for every batch. The Chinese edition's 64 sentences hold two with the very same words in another order, and opposite answers to "order". A model that only sees words can't separate them: it is right on 98 %, and its loss can't fall below $2 \ln 2 / 64 \approx 0.022$. The English sentences hold no such pair.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 0.8 找错练习

下面的 `patient(token_ids, table, pad_id=0)` 把每句话变成一个向量：从词向量表 `table`（形状 (V, D)）里取出每个编号那一行，对真词求平均；一个真词也没有的句子得 0。`token_ids` 是整数，形状 (B, T)；返回 (B, D)。它能跑，形状也对，却有**一处**毛病。不同班级拿到的毛病可能不同。

1. 先做实验，别盯着代码看：同一句话补上几个填充；换一个 `pad_id`；把一句话单独算，再放进一批里算；自己造一张小表，手算一遍。
2. 从下面的名单里选一个名字，写成字符串：`suspect = "..."`。
3. 写出修好的 `repaired(token_ids, table, pad_id=0)`。

| 名字 | 毛病 |
|---|---|
| `pads_in_the_sum` | 求和的时候把填充也加了进去 |
| `divided_by_length` | 除以了整行的长度，不是真词的个数 |
| `mask_inverted` | 掩码反了 |
| `pad_id_fixed_to_zero` | 填充的编号在代码里写死成了 0 |
| `one_count_for_all` | 整批句子用了同一个个数 |
| `mask_from_vectors` | 靠向量是不是 0 来认填充 |

说出毛病的名字 1 分，修好 2 分。
"""

# %% [markdown] lang="en"
r"""
## 0.8 Debugging drill

`patient(token_ids, table, pad_id=0)` below turns every sentence into one vector: it takes the row of each id from the table of word vectors `table` (shape (V, D)) and averages the real words; a sentence without any gives 0. `token_ids` are ints of shape (B, T); (B, D) comes back. It runs, the shape is right, and it has **one** fault. Other groups of students may get other faults.

1. Experiment first instead of staring at the code: put a few pads behind a sentence; use another `pad_id`; compute a sentence alone, then inside a batch; make a little table and do it by hand.
2. Pick one name from the list and write it as a string: `suspect = "..."`.
3. Write the repaired `repaired(token_ids, table, pad_id=0)`.

| Name | Fault |
|---|---|
| `pads_in_the_sum` | the sum includes the pads |
| `divided_by_length` | divided by the length of the row, not by the number of real words |
| `mask_inverted` | the mask is inverted |
| `pad_id_fixed_to_zero` | the id of pads is fixed to 0 in the code |
| `one_count_for_all` | one count is used for the whole batch |
| `mask_from_vectors` | pads are recognised by their vectors being 0 |

Naming the fault gives 1 point, the repair 2.
"""

# %% exercise="drill_ch00_start"
from drill import patient, suspect, repaired

# %% check="drill_ch00_start"
check("drill_ch00_start", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 0.9 同样的东西，在 Keras 和 KerasHub 里

你写的这几样，库里都有现成的。KerasHub（以前叫 KerasNLP）的 `StartEndPacker` 把一批长短不一的编号补齐，顺便交出填充掩码；Keras 的 `GlobalAveragePooling1D` 求真词的平均；`Rescaling` 乘一个数、加一个数，只是不会学。数应当和你的一样。（没装 KerasHub 就跳过那一行；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 0.9 The same things in Keras and KerasHub

The libraries of the trade have ready-made versions of what you wrote. `StartEndPacker` of KerasHub (once KerasNLP) fills a batch of id lists up to one length and hands you the padding mask with it; `GlobalAveragePooling1D` of Keras averages the real words; `Rescaling` multiplies and adds, only it doesn't learn. The numbers should agree with yours. (Without KerasHub that line is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("padding_mask_from_ids", "masked_mean", "ScaleShift"):
    ids, mask = batch_ids, np.asarray(padding_mask_from_ids(ops.convert_to_tensor(batch_ids)))
    agree = {}
    try:
        from keras_hub.layers import StartEndPacker

        packer = StartEndPacker(ids.shape[1], pad_value=0, return_padding_mask=True)
        their_ids, their_mask = packer(lists)
        same = np.array_equal(their_ids, ids) and np.array_equal(their_mask, mask)
        agree["keras_hub.layers.StartEndPacker"] = 0.0 if same else 1.0
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

    x = ops.convert_to_tensor(vectors[ids])  # (3, T, D)
    theirs = keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    ours = masked_mean(x, ops.convert_to_tensor(mask))
    agree["keras.layers.GlobalAveragePooling1D"] = np.abs(np.asarray(theirs) - ours).max()

    own = ScaleShift()
    own(x)
    own.set_weights([np.linspace(1, 2, 16), np.linspace(-1, 1, 16)])  # scale, shift
    fixed = keras.layers.Rescaling(np.linspace(1, 2, 16), offset=np.linspace(-1, 1, 16))
    agree["keras.layers.Rescaling"] = np.abs(np.asarray(own(x)) - np.asarray(fixed(x))).max()
    for name, difference in agree.items():
        print(f"{name:40} {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}")

# %% [markdown] lang="zh"
r"""
## 0.10 常见误解

先逐句判断对不对，再看数字。

1. `mask_zero=True` 会把填充的向量变成 0。
2. 掩码一旦有了，就会一路传到模型的最后。
3. 放一个 `Masking` 层，后面的 softmax 就不会理会填充了。
4. 设了随机种子（seed），结果就一定能重现。
"""

# %% [markdown] lang="en"
r"""
## 0.10 Myth box

Judge each sentence first, then look at the numbers.

1. `mask_zero=True` makes the vectors of pads zero.
2. Once there is a mask, it goes on to the end of the model.
3. Put in a `Masking` layer, and a softmax behind it will leave pads alone.
4. With a random seed set, results can always be reproduced.
"""

# %% tags=["experiment"]
short_ids = np.array([[3, 5, 0, 0, 0]])

# 1: the vectors of two words and three pads
keras.utils.set_random_seed(3)
embedding = keras.layers.Embedding(10, 4, mask_zero=True)
lengths = np.linalg.norm(embedding(short_ids), axis=-1)[0]
say(
    f"1 向量的长度：真词 {np.round(lengths[:2], 3)}，填充 {np.round(lengths[2:], 3)}",
    f"1 lengths of vectors: words {np.round(lengths[:2], 3)}, pads {np.round(lengths[2:], 3)}",
)


# 2: the mean of the real words, behind layers that do or don't hand the mask on
class Forgetful(keras.layers.Layer):
    def call(self, x):
        return x + 0


embedded = embedding(short_ids)
average = keras.layers.GlobalAveragePooling1D()
wanted = np.asarray(average(embedded))
for name, middle in (
    (text(" Dropout", "Dropout"), keras.layers.Dropout(0.5)),
    (text("自己写的一层", "a layer of one's own"), Forgetful()),
    (text("一次加法 x + 0", "one addition, x + 0"), lambda x: x + 0),
):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        gap = np.abs(np.asarray(average(middle(embedded))) - wanted).max()
    arrived = text("传到了", "arrives") if gap < 1e-6 else text("丢了", "is lost")
    count = sum("mask" in str(warning.message) for warning in warned)
    say(
        f"2 中间是{name}：掩码{arrived}，警告 {count} 次",
        f"2 behind {name}: the mask {arrived}, warnings: {count}",
    )

# 3: a softmax over five positions, the last two of which are masked
scores = np.array([[[3.0], [1.0], [2.0], [0.0], [0.0]]], dtype="float32")  # (1, T, 1)
masked_scores = keras.layers.Masking(mask_value=0.0)(scores)
share = np.asarray(ops.softmax(masked_scores, axis=1))[0, :, 0]
say(
    f"3 softmax 给填充的份额：{share[3]:.3f} 和 {share[4]:.3f}",
    f"3 what the softmax gives the pads: {share[3]:.3f} and {share[4]:.3f}",
)


# 4: the same seed three times; the last time one more layer is made before
def first_weights(extra):
    keras.utils.set_random_seed(4)
    if extra:
        keras.layers.Dense(3).build((None, 2))  # never used
    layer = keras.layers.Dense(2)
    layer.build((None, 2))
    return np.asarray(layer.kernel)


plain, repeated, shifted = (first_weights(extra) for extra in (False, False, True))
say(
    f"4 同一个种子再来一次，相差 {np.abs(plain - repeated).max():.2f}；"
    f"前面多造一个没用的层，相差 {np.abs(plain - shifted).max():.2f}",
    f"4 the same seed again: difference {np.abs(plain - repeated).max():.2f}; "
    f"with one useless layer made before: {np.abs(plain - shifted).max():.2f}",
)

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** `mask_zero` 只造一张掩码；编号 0 照样有自己的向量，和别的词一样随机。
2. **错。** Keras 自带的层多半会传；自己写的层不说就不传，只得到一句警告；一次普通的运算也会把它弄丢，连警告都没有。所以 0.6 里这一项检查单独占 1 分。
3. **错。** 掩码只是跟在旁边的一张表，哪一层去看，哪一层才知道；普通的 softmax 不看，填充照样分到份额。真要遮住，得在 softmax 之前动手，3a 会讲。
4. **半对。** 同一台机器、同样的代码，可以重现。可是多造一个层、换个批次大小，随机数就错了位；换一台机器或换个后端，连加法的次序都可能不同。所以这门课的结论都看好几个种子，评分从不依赖你抽到的随机数。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** `mask_zero` only makes a mask; id 0 has a vector like any other word, just as random.
2. **Wrong.** Most layers of Keras hand it on; one of your own doesn't unless you say so, and all you get is a line of warning; a plain operation loses it, too, and without a word. That is why it has a point of its own in the check of 0.6.
3. **Wrong.** A mask is a table that travels alongside, and only a layer that looks for it sees it; a plain softmax doesn't, and pads get their share. To keep them out you have to act before the softmax, as 3a shows.
4. **Half true.** On one machine, with the same code, yes. But one more layer or another batch size, and every random number after it is different; on another machine or backend even the order of additions may differ. So conclusions in this course rest on several seeds, and grading never depends on the random numbers that you happened to draw.
"""

# %% [markdown] lang="zh" exercise="written_ch00_start"
r"""
## 0.11 简答题

一位同学很高兴：“我的模型训练 100 步，损失只有 0.001。它学会了！”

用 100 字左右回答：这个数字说明了什么，没有说明什么？举出本章里你**自己跑出来的**两个数字；再说出他接下来该做的一个实验，以及什么样的结果会让你同意他。

这道题由老师评阅，不计入 18 分。好的回答里有：两个数字各说明什么；实验用的是模型没见过的数据；一条事先说好的标准。
"""

# %% [markdown] lang="en" exercise="written_ch00_start"
r"""
## 0.11 Written question

A fellow student is delighted: "After 100 steps my model has a loss of 0.001. It has learnt it!"

Answer in about 80 words: what does this number show, and what doesn't it? Quote two numbers from this notebook that **you ran yourself**; then name one experiment to do next, and the result that would make you agree.

Your teacher reads this one; it is not part of the 18 points. A good answer says what each of the two numbers shows, uses data that the model has never seen, and fixes its criterion beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 区分“代码能训练”和“学会了”：训练损失低只说明前者；引用两个本章的数字（例如“硬币”的训练损失和新句子上的准确率）。
2. 实验用模型没见过的数据，并和一个基线比（抛硬币、最常见的类别、打乱标签）。
3. 事先说清达到多少才算学会。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Tells "the code trains" from "it has learnt": a low training loss shows the first alone; quotes two numbers of this notebook (such as the training loss of "coin" and its accuracy on new sentences).
2. The experiment uses data never seen and compares with a baseline (a coin, the commonest class, shuffled labels).
3. Says beforehand how good is good enough.
"""

# %% [markdown] lang="zh"
r"""
## 0.12 交作业，和下次接着做

**接着做。** 保存（`Ctrl` + `S`）的是你写的代码和看到的结果，内存里的东西不会留下。下次打开，从头按顺序运行，或者点到停下的那一格，用菜单 Run 里的 Run All Above Selected Cell（运行上面所有单元格）。要是哪一格说“要用到你写的……”，那么上面那道题要么在这次打开以后还没有检查过，要么还不到一半的分。

**交之前。** 先重启内核、从头运行一遍，看一看各个 `check` 的分数。在命令行里还可以让评分程序预演一遍，它会把你的文件放进一个干净的进程里，用同样的检查打分：

```sh
autograder check ch00_start.ipynb
```

**交什么。** 就交这一个 `.ipynb` 文件，名字不要改。删掉了单元格、改了检查那一行，都不要紧，评分时会补回来；题目要你定义的名字不能改。

**怎么评。** 每道题单独评：查 B 题时，它用到的前面各题都换成标准实现，前面错了不连累后面（只有名字以 `capstone_` 开头的综合题例外）。检查和你这里看到的一样，随机数不同；死记这里的数没有用，写对了就都对。每次调用超过一分钟会被停下，只丢那一项的分。你的代码在隔离的环境里运行，上不了网，也看不到别人的作业。
"""

# %% [markdown] lang="en"
r"""
## 0.12 Handing in, and going on another day

**Going on.** What you save (`Ctrl` + `S`) is the code that you wrote and the results that you saw; what is in memory doesn't stay. Next time, run the cells in order from the top, or click where you stopped and choose "Run All Above Selected Cell". Where a cell says that it uses something of yours, the exercise above either hasn't been checked since you opened the notebook or has less than half its points.

**Before you hand in.** Restart the kernel, run everything from the top, and look at the points of each `check`. On the command line you can rehearse the grading: it takes your file into a clean process and judges it with the same checks.

```sh
autograder check ch00_start.ipynb
```

**What to hand in.** This one `.ipynb` file, under its own name. Deleted cells and edited check lines don't matter, they are put back; but the names that an exercise asks you to define must stay.

**How it is graded.** Each exercise by itself: when B is checked, the earlier ones that it uses are replaced by reference ones, so that a mistake costs once (except in capstones, whose names begin with `capstone_`). The checks are the ones you see here, on other random numbers; learning these by heart is no use, and what is right here is right there. A call that takes longer than a minute is stopped and costs that part only. Your code runs shut off from the rest: no network, nobody else's work.
"""

# %% [markdown] lang="zh"
r"""
## 0.13 带走的几句话

1. 形状先在纸上写一遍；凑巧对得上的广播不会报错。
2. 掩码是布尔，`True` = 真词；填充看编号，不看向量。
3. *补上填充，什么都不许动*：这是全课最有用的测试。
4. 自己写的层：参数在 `build` 里登记，`get_config` 交代清楚，掩码要放行。
5. 新代码先背一小批；背下来说明代码对，学没学会要看没见过的数据。

**接下来：** 1a 让一个模型把一个序列变成另一个序列，然后看它被自己的记忆卡住；1b 从数词开始，讲到词向量和卷积。
"""

# %% [markdown] lang="en"
r"""
## 0.13 A few sentences to take with you

1. Write shapes on paper first; broadcasting that happens to fit raises no error.
2. A mask is boolean, `True` = a real word; padding is recognised by ids, not by vectors.
3. *Append pads, and nothing must change*: the most useful test of the course.
4. A layer of your own registers its weights in `build`, says everything in `get_config`, and lets masks pass.
5. New code first learns a small batch by heart; that shows the code is right, and unseen data show whether anything was learnt.

**Where next:** 1a makes a model turn one sequence into another, and watches it get stuck on its own memory; 1b starts from counting words and gets to word vectors and convolution.
"""
