# %% [markdown] lang="zh"
r"""
# 7c 查错：它为什么答对，又会怎么错

测试集上九成的准确率，说明什么？说明这些题它答对了九成。至于**凭什么**答对的，准确率一个字也没说。

2018 年，有人只把自然语言推理题的**后半句**给模型看，前半句遮掉，照理只能瞎猜，对三分之一，模型却对了六七成：出题人写“矛盾”的句子时爱用“不”“没有”，模型记住的就是这个。2019 年，BERT 在一套论证理解题上考到 77 %，离人只差几分；Niven 和 Kao 把题目里 “not” 之类的线索配平以后，它就跌到了瞎猜。再早两年，Jia 和 Liang 往阅读题的文章末尾加一句不相干的话，十六个模型的 F1 平均从 75 % 掉到 36 %。

这一章学的是这门手艺：**拿到一个考得好的模型，怎么查它**。五样工具：

1. **遮掉一半**还答得出来，说明答案漏在另一半里；
2. **数线索**：哪个词单凭自己就把答案供了出来，管得到几成题；
3. **加干扰**：塞一句不相干的话，看它上不上当；
4. **改一个词**：答案翻过来了，它跟不跟着翻；
5. **问把握**：它说“九成把握”的题，是不是真对九成；不是的话，怎么便宜地修。

工具先在**自己埋了线索**的题上试：埋了几成，就该量出几成；没埋的，不许量出来。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `hypothesis_only_baseline` | 6 | 20 | 核心 | 加一平滑；没见过的词跳过；一样大取编号小的 | 手写的句子 |
| `cue_productivity` | 6 | 18 | 核心 | 0/0 = 0；要“只有对的那个有” | 手写的词集 |
| `add_distractor` | 5 | 15 | 核心 | 头尾都算在内；插在第 `position` 个词之前 | 手写的句子 |
| `contrast_edit` | 4 | 10 | 核心 | 一次只换一个；反义词两个方向都查 | 手写的句子 |
| `contrast_consistency` | 3 | 8 | 核心 | 一组全对才算对 | 布尔数组 |
| `calibration_error` | 6 | 20 | 核心 | 格子左开右闭；按题数加权 | 随机的概率 |
| `temperature_scale` | 6 | 18 | 核心 | 除以温度；取平均负对数似然最小的 | 随机 logits |
| `drill_ch07c_failure` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch07c_failure` | 0 | 12 | 核心 | 老师评阅，不计入 42 分 | 本章的图和数字 |

共 42 分。只做练习两小时多一点，连同实验三小时；7c.5 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批题目和随机数。
"""

# %% [markdown] lang="en"
r"""
# 7c What it gets right for the wrong reason, and how it fails

What does an accuracy of 90 % on a test set tell you? That it was right for 90 % of these questions. About **why** it was right, accuracy says nothing.

In 2018 people showed models only the **second sentence** of questions in natural language inference and hid the first. By rights that is guessing, one in three; the models were right for six or seven in ten. Whoever had written the contradictions liked words such as "not" and "nobody", and that is what the models had learnt. In 2019 BERT reached 77 % on a test of understanding arguments, a few points below people; when Niven and Kao balanced cues such as "not", it fell to guessing. Two years earlier Jia and Liang had put one beside-the-point sentence at the end of the texts of a reading test, and the F1 of sixteen models fell from 75 % to 36 % on average.

This notebook teaches the craft: **how to question a model that scores well**. It has five tools:

1. **hide half of it**: if it can still answer, the other half gives the answer away;
2. **count cues**: which word by itself tells the answer, and for how many questions;
3. **add a distractor**: put in a sentence that is beside the point and see whether it is taken in;
4. **change one word** that turns the answer round, and see whether it turns with it;
5. **ask how sure it is**: of what it calls "90 % sure", is it right for 90 %? And if not, what is a cheap repair?

Each tool is first tried on questions in which **we planted the cue ourselves**: it has to measure what was planted, and nothing where nothing was.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `hypothesis_only_baseline` | 6 | 20 | core | one is added to every count; unknown words are skipped; of equals the smaller class | sentences by hand |
| `cue_productivity` | 6 | 18 | core | 0/0 = 0; productive if the right choice has it alone | sets of words by hand |
| `add_distractor` | 5 | 15 | core | both ends included; comes before word `position` | sentences by hand |
| `contrast_edit` | 4 | 10 | core | one word at a time; opposites are looked up both ways | sentences by hand |
| `contrast_consistency` | 3 | 8 | core | a group counts if all of it is right | bool arrays |
| `calibration_error` | 6 | 20 | core | bins are open below and closed above; weighted by their rows | random probabilities |
| `temperature_scale` | 6 | 18 | core | divide by it; the lowest mean negative log likelihood | random logits |
| `drill_ch07c_failure` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch07c_failure` | 0 | 12 | core | read by your teacher, not part of the 42 points | the pictures and numbers of this notebook |

42 points in all. The exercises take a little over two hours, with the experiments three; just before 7c.5 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other questions and random numbers.
"""

# %%
from collections import Counter

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 7c.1 你来当那个模型

下面是造出来的推理题（前一句蕴含后一句、无关、还是矛盾），可是**前一句遮住了**。上半截是十四道有答案的，下半截六道没有。照理你只能瞎猜，三分之一。

**先猜**：看完上半截，你给下半截那六道填什么？有没有哪一道你特别有把握？
"""

# %% [markdown] lang="en"
r"""
## 7c.1 Be the model yourself

Below are made-up questions in inference (does the second sentence follow from the first, is it unrelated, or does it contradict?), with **the first sentence hidden**. Fourteen come with their answers, six without. By rights you can only guess, one in three.

**Predict**: having read the fourteen, what do you answer to the six? Is there one of which you are quite sure?
"""

# %%
from bert_keras.analysis.planted_flaws import cue_table, plant_cue, plant_word, words_of
from bert_keras.text.corpora import inference

ANSWERS = [text("蕴含", "entailment"), text("无关", "neutral"), text("矛盾", "contradiction")]
CUE = text("其实", "actually")
clean = inference.load(language=LANG, size=3000)
leaky = {
    part: plant_word(
        rows, CUE, inference.CONTRADICTION, 0.6, 0.05, np.random.default_rng(number), LANG
    )
    for number, (part, rows) in enumerate(clean.items())
}
for row in leaky["train"][:14]:
    print(f"{ANSWERS[row.label]:14}{row.b}")
print()
marked = [n for n, row in enumerate(leaky["test"]) if CUE in row.b.lower()]
asked = sorted([0, 1, 2, 3] + [n for n in marked if n > 3][:2])
riddles = [leaky["test"][n] for n in asked]
for row in riddles:
    print(f"{'?':14}{row.b}")

# %% [markdown] lang="zh"
r"""
答案在 7c.2 揭晓（六道里最后两道是特意挑的）。“其实”是我们埋的：六成的“矛盾”句前面有，别的句子前面只有半成。它跟题目毫无关系，可是谁要是只想考高分，背下这一个词就够本了。

会不会有人真这么出题？2018 年的推理题是请人写的：给一句话，写一句它蕴含的、一句无关的、一句矛盾的。写矛盾句最省事的办法是加个“不”，写无关句是添个理由；写的人自己并不觉得，几十万句加在一起，就成了规律。
"""

# %% [markdown] lang="en"
r"""
The answers come in 7c.2 (of the six, the last two were picked on purpose). "Actually" was planted: it stands before six in ten of the contradictions, and before one in twenty of all others. It has nothing to do with the question; yet whoever is after a high score needs to learn this one word and no more.

Does anybody write such questions? The inference sets of 2018 were written by people who were given a sentence and asked for one that follows, one that is unrelated, and one that contradicts. The easiest way to contradict is to put in a "not", and to be unrelated, to add a reason. Nobody noticed while writing; in hundreds of thousands of sentences it became a rule.
"""

# %% [markdown] lang="zh"
r"""
## 7c.2 练习：只看后半句

最便宜的一查：把题目遮掉一半，让一个**最笨**的模型来答。越笨越好：连它都答得出来，就不必用 BERT 来证明题目漏了。

这里用**多项朴素贝叶斯**：每个词各说各的，谁也不看谁。一句话里的词是 $w_1, \dots, w_m$，给每一类 c 打分：

$$s_c = \ln \frac{n_c}{n} + \sum_{i=1}^{m} \ln \frac{N_{c, w_i} + 1}{N_c + V}$$

$n_c$ 是 c 类的句数，$n$ 是总句数；$N_{c,w}$ 是词 w 在 c 类的句子里一共出现几次，$N_c$ 是 c 类句子的总词数；$V$ 是训练的**所有**句子里不同的词有几个（不分类别）。每个词都多数一次（加一平滑），c 类没见过的词就不至于让 $\ln 0$ 一票否决。

在纸上：训练句 "a a b"（0 类）、"b c"（1 类），V = 3。$N_{0,a} = 2$，$N_0 = 3$，所以 a 在 0 类的概率是 (2 + 1) / (3 + 3) = 1/2；在 1 类是 (0 + 1) / (2 + 3) = 1/5。

写 `hypothesis_only_baseline(texts, labels, test_texts, num_classes)`：

| 参数 | 说明 |
|---|---|
| `texts` | n 个字符串，训练的句子；词 = 全部变成小写，再按空白切开（标点粘在词上，不管它） |
| `labels` | n 个整数（列表或数组），0 到 C − 1；每一类都有 |
| `test_texts` | M 个字符串，要猜的句子，切法相同 |
| `num_classes` | 整数 C |

- 类的先验就是训练里的频率，**不**平滑。
- 训练里哪一类都没有的词，跳过；一个认识的词也没有，就只看先验。
- 一句里重复的词，出现几次算几次。用对数相加，别把概率连乘（长句会变成 0）。
- 分数一样，取编号小的类。
- **返回** (M,) 的整数数组。传进来的东西别改动。

推理题里它看到的只是后一句，所以叫 hypothesis-only（Poliak 等人 2018；Gururangan 等人 2018）。中文没有空格，把字先用空格隔开再交给它，“词”就是字。
"""

# %% [markdown] lang="en"
r"""
## 7c.2 Exercise: see the second half only

The cheapest test of all: hide half of the question, and let the **dumbest** of models answer. The dumber the better: if even this one can answer, no BERT is needed to show that the questions leak.

We take **multinomial naive Bayes**, in which each word speaks for itself and looks at no other. For a text of words $w_1, \dots, w_m$ every class c gets a score:

$$s_c = \ln \frac{n_c}{n} + \sum_{i=1}^{m} \ln \frac{N_{c, w_i} + 1}{N_c + V}$$

$n_c$ of the $n$ texts are of class c; $N_{c,w}$ is how often word w stands in the texts of class c, and $N_c$ how many words these have; $V$ is the number of different words in **all** training texts, whatever their class. Every word is counted once more than it occurs (add-one smoothing), so that a word new to class c can't veto it with $\ln 0$.

On paper: training texts "a a b" (class 0) and "b c" (class 1), so V = 3. $N_{0,a} = 2$ and $N_0 = 3$, so the probability of a is (2 + 1) / (3 + 3) = 1/2 in class 0, and (0 + 1) / (2 + 3) = 1/5 in class 1.

Write `hypothesis_only_baseline(texts, labels, test_texts, num_classes)`:

| Argument | Notes |
|---|---|
| `texts` | n strings, to train on; words are what stands between white space once all is in lower case (punctuation sticks to its word; let it) |
| `labels` | n ints (a list or an array), 0 to C − 1; every class occurs |
| `test_texts` | M strings, to be guessed, cut in the same way |
| `num_classes` | int C |

- The prior of a class is its frequency in training, **not** smoothed.
- Words that no training text has, of whatever class, are skipped; a text without a known word is left to the priors.
- A word that stands in a text several times counts as often. Add logarithms instead of multiplying probabilities (in a long text they come to 0).
- Of equal scores, the smaller class.
- **Returns** an int array of shape (M,). Don't change what you are handed.

In inference it sees the second sentence, the hypothesis, and nothing else, hence the name (Poliak et al. 2018; Gururangan et al. 2018). Chinese has no spaces: there the characters are handed over with spaces between them, and a "word" is a character.
"""

# %% exercise="hypothesis_only_baseline"
from bert_keras.analysis.failure import hypothesis_only_baseline

# %% check="hypothesis_only_baseline"
check("hypothesis_only_baseline", hypothesis_only_baseline)

# %% [markdown] lang="zh"
r"""
**看一看。** 先把 7c.1 的六道题答了。然后量：没埋词的、埋了词的推理题，各对几成？再请两套别处的题：一套是从真人写的口令模板拼出来的“两句话意思一样吗”（只给第二句），一套是造出来的断言核对（只给断言，资料全遮住）。

**先猜**：埋了词的那一套，两成多的句子带着“其实”，每七句里有六句是“矛盾”。只看后半句，能对几成？（带词的全猜“矛盾”，其余的瞎猜。）
"""

# %% [markdown] lang="en"
r"""
**See it.** First the answers to the six of 7c.1. Then measure: how many does it get right of the inference pairs without a planted word, and with one? And there are two more sets: "do these two commands mean the same", put together from templates that people wrote (with the second command only); and claims to be checked (with the claim only, and all statements hidden).

**Predict**: in the planted set a little more than 20 % of the sentences have the word, and six in seven of these are contradictions. By the second sentence alone, how many can be right? (Say "contradiction" to all that have the word, and guess for the rest.)
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_claims, paraphrases
from bert_keras.text.corpora.archives import CorpusError


def spaced(one):
    """A text for naive Bayes: words, or characters, with spaces between them."""
    return " ".join(words_of(one, LANG))


def half_only(rows, texts_of, num_classes):
    """Guesses for the test part, its labels, and the share of the commonest class."""
    train, test = rows["train"], rows["test"]
    right = np.array([row.label for row in test])
    guesses = hypothesis_only_baseline(
        [spaced(texts_of(row)) for row in train],
        [row.label for row in train],
        [spaced(texts_of(row)) for row in test],
        num_classes,
    )
    return guesses, right, np.bincount(right).max() / len(right)


if ready("hypothesis_only_baseline"):
    guesses, right, _ = half_only(leaky, lambda row: row.b, 3)
    for number in asked:
        row, guess = leaky["test"][number], ANSWERS[guesses[number]]
        say(
            f"它猜{guess}，正确的是{ANSWERS[row.label]}：{row.b}",
            f"it says {guess:13}  right is {ANSWERS[row.label]:13}  {row.b}",
        )
    sets = {
        text("推理，没埋词", "inference, nothing planted"): (clean, lambda row: row.b, 3),
        text("推理，埋了词", "inference, planted"): (leaky, lambda row: row.b, 3),
        text("断言核对（造的）", "claims (generated)"): (
            generated_claims.load(language=LANG),
            lambda row: row.claim if isinstance(row.claim, str) else " ".join(row.claim),
            3,
        ),
    }
    try:
        pairs = paraphrases.load(language=text("zh-CN", "en"))
        sets[text("口令，第二句", "commands, the second one")] = pairs, lambda row: row.b, 2
    except CorpusError as problem:
        say(f"取不到口令，跳过：{problem}", f"the commands can't be had: {problem}")
    print()
    for name, (rows, texts_of, count) in sets.items():
        guesses, right, most = half_only(rows, texts_of, count)
        say(
            f"只看一半对 {np.mean(guesses == right):.1%}，最多的一类占 {most:.1%}，"
            f"{len(right)} 题：{name}",
            f"half of it: right for {np.mean(guesses == right):.1%}; commonest class {most:.1%}; "
            f"{len(right)} questions: {name}",
        )
    told = np.array([CUE in row.b.lower() for row in leaky["test"]])
    guesses, right, _ = half_only(leaky, lambda row: row.b, 3)
    say(
        f"埋了词的：带“{CUE}”的 {told.sum()} 句对 {np.mean((guesses == right)[told]):.0%}，"
        f"其余对 {np.mean((guesses == right)[~told]):.0%}",
        f"planted: right for {np.mean((guesses == right)[told]):.0%} of the {told.sum()} with "
        f"'{CUE}', and for {np.mean((guesses == right)[~told]):.0%} of the others",
    )

# %% [markdown] lang="zh"
r"""
没埋词的在瞎猜上下（375 题，一个标准差是 2.4 个百分点，差一两个不算什么）；埋了词的，多出来的全在带词的那些句子里，其余的还是三分之一上下。断言核对也在瞎猜附近：要答对，得看资料。

口令那一套呢？两类各占一半，看第二句照理也是一半；上面印的数离一半多远，漏得就有多少。

把这一查倒过来读要小心：**考得高，说明漏了；考得像瞎猜，不说明没漏**。朴素贝叶斯只看单个的词，藏在词序、搭配里的线索它看不见（7c.10 里有个例子）。

**再看一眼**：埋的份额从 0 加到 0.9，只看后半句的成绩怎么涨？
"""

# %% [markdown] lang="en"
r"""
With nothing planted it guesses (of 375 questions one standard deviation is 2.4 points, so a difference of one or two means nothing); in the planted set, all of the gain is in the sentences with the word, and of the others a third is right as before. Claims are close to guessing, too: to be right, one has to read the statements.

And the commands? Either class is one half, so the second command should be right for one half as well; by as much as the figure above is more, they leak.

Take care to read this test the right way round: **a high score shows that it leaks; a score like guessing doesn't show that it doesn't**. Naive Bayes sees single words, and no cue that hides in their order or in pairs (7c.10 has an example).

**One more look**: with more and more planted, from 0 to 0.9, how does the score of the second sentence rise?
"""

# %% tags=["experiment"]
if ready("hypothesis_only_baseline"):
    shares, scores = [0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9], []
    for share in shares:
        rng = np.random.default_rng(0)
        rows = {
            part: plant_word(one, CUE, inference.CONTRADICTION, share, 0.0, rng, LANG)
            for part, one in clean.items()
        }
        guesses, right, _ = half_only(rows, lambda row: row.b, 3)
        scores.append(np.mean(guesses == right))
    words_of_chart = chart_words(LANG)
    with chart(1, width=4.6, height=3.0) as (axis,):
        axis.plot(shares, scores, MARKERS[0] + "-", color=COLOURS[0])
        axis.axhline(1 / 3, ls="--", color="grey", lw=1)
        axis.set_xlabel(words_of_chart("埋了词的“矛盾”句的份额", "share of contradictions with it"))
        axis.set_ylabel(words_of_chart("只看后半句，准确率", "accuracy, second sentence only"))
        axis.set_ylim(0.2, 0.8)

# %% [markdown] lang="zh"
r"""
## 7c.3 练习：哪个词在泄题

朴素贝叶斯说“漏了”，没说从哪儿漏的。选择题里可以一个词一个词地查。Niven 和 Kao（2019）给每个词（**线索**，cue）定了两个数。

一道题有 K 个答案，每个答案是一个词的**集合**。线索在有的答案里有、有的答案里没有，才算**用得上**；所有答案都有或都没有，它就分不出谁对谁错。记 n 道题里用得上的有 α 道：

- **覆盖率** coverage = α / n：管得到几成题；
- **命中率** productivity = 用得上的题里，**恰好只有**正确答案有这个词的占几成。

在纸上，四道题，各两个答案，线索是 "not"（√ 是正确答案）：

| √ | × | 用得上 | 只有正确的有 |
|---|---|---|---|
| {not, a} | {b} | 是 | 是 |
| {c} | {not} | 是 | 不 |
| {not} | {not, d} | 不 | |
| {a} | {b} | 不 | |

α = 2，覆盖率 2/4，命中率 1/2。两个答案的题，命中率一半等于瞎猜；离一半越远，越泄题。

写 `cue_productivity(choices, labels, cue)`：

| 参数 | 说明 |
|---|---|
| `choices` | n 个列表，每个列表是一道题的 K 个集合，集合里是字符串；K 至少是 2，各题可以不同；n 至少是 1 |
| `labels` | n 个整数，正确答案在列表里的位置，从 0 数起 |
| `cue` | 字符串，线索 |

- 线索要**整个**等于集合里的一个词："not" 不在 {"nothing"} 里。
- 三个答案里，正确的和另一个都有这个词：用得上，但**不算**命中。
- 一道也用不上：命中率是 0.0（0/0 当作 0），不抛异常。
- **返回**一对小数 `(productivity, coverage)`。
"""

# %% [markdown] lang="en"
r"""
## 7c.3 Exercise: which word gives it away?

Naive Bayes says "it leaks", but not where. In multiple choice one can look word by word. Niven and Kao (2019) give each word (each **cue**) two numbers.

A question has K choices, each of which is a **set** of words. The cue **applies** where some of the choices have it and others don't; where all have it, or none, it can't tell right from wrong. Say that it applies to α of n questions:

- **coverage** = α / n: how many of the questions it has a say in;
- **productivity** = of those to which it applies, the share in which the right choice has the word **and no other does**.

On paper, four questions with two choices each, and the cue "not" (√ is the right choice):

| √ | × | applies | the right one alone has it |
|---|---|---|---|
| {not, a} | {b} | yes | yes |
| {c} | {not} | yes | no |
| {not} | {not, d} | no | |
| {a} | {b} | no | |

α = 2, the coverage is 2/4 and the productivity 1/2. With two choices, a productivity of one half is guessing; the further from it, the more the word tells.

Write `cue_productivity(choices, labels, cue)`:

| Argument | Notes |
|---|---|
| `choices` | n lists, each of the K sets of a question, with strings in them; K is at least 2 and may differ between questions; n is at least 1 |
| `labels` | n ints, the place of the right choice in its list, from 0 |
| `cue` | str, the word |

- The cue must be **all** of a word of the set: "not" isn't in {"nothing"}.
- Of three choices the right one has the word, and another has it too: it applies, but is **not** productive.
- If it never applies, productivity is 0.0 (0/0 counts as 0), and nothing is raised.
- **Returns** a pair of floats, `(productivity, coverage)`.
"""

# %% exercise="cue_productivity"
from bert_keras.analysis.failure import cue_productivity

# %% check="cue_productivity"
check("cue_productivity", cue_productivity)

# %% [markdown] lang="zh"
r"""
**看一看。** 左图：造出来的阅读题（一段关于两个地方的短文，一个问题，四个答案），在四成的题里给一个答案添上“即”字，其中六成添在正确答案上：命中率 0.6、覆盖率 0.4，一点不差。中图：BBC 新闻的“下一句是哪句”（6a 里见过，英文），随机 1000 题，真的文字，什么也没埋。右图：还是 BBC，只是取**前** 1000 题。每个点是一个词（中文是一个字），**所有的**词都在图上。

四个答案，瞎猜的命中率是 1/4（虚线）。**先猜**：中图里一万多个词，有没有命中率 100 % 的？有几个？它们是不是线索？右图会不会不一样？
"""

# %% [markdown] lang="en"
r"""
**See it.** On the left generated reading (a short text about two places, a question, four answers); to one answer in four tenths of the questions the word "namely" was added, and in six tenths of these it was the right one: productivity 0.6 and coverage 0.4, exactly. In the middle "which sentence comes next" of BBC news, as in 6a: 1000 questions of real text drawn at random, with nothing planted. On the right BBC news again, only that these are the **first** 1000 questions. Each dot is a word, and **all** of them are there.

With four choices guessing gives a productivity of 1/4, the dashed line. **Predict**: among the more than ten thousand words in the middle, are there any with a productivity of 100 %? How many? Are they cues? Will the right picture be any different?
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_readings, multiple_choice


def sets_of(rows, tongue):
    """The words of every choice, in lower case."""
    return [[set(words_of(one.lower(), tongue)) for one in row.choices] for row in rows]


if ready("cue_productivity"):
    word = text("即", "namely")
    made = generated_readings.load(language=LANG, size=1000)["train"]
    made = plant_cue(made, word, 0.6, 0.4, np.random.default_rng(0), LANG)
    found = cue_productivity(sets_of(made, LANG), [row.label for row in made], word)
    say(
        f"埋的“{word}”：命中率 {found[0]:.3f}，覆盖率 {found[1]:.3f}",
        f"the planted '{word}': productivity {found[0]:.3f}, coverage {found[1]:.3f}",
    )
    panels = {("造的，埋了一个", "generated, one planted"): (made, LANG)}
    try:
        bbc = multiple_choice.load()["train"]
    except CorpusError as problem:
        say(f"取不到 BBC 新闻，跳过：{problem}", f"BBC news can't be had: {problem}")
    else:
        drawn = np.random.default_rng(0).permutation(len(bbc))[:1000]
        panels["BBC，随机 1000 题", "BBC, 1000 at random"] = [bbc[n] for n in drawn], "en"
        panels["BBC，前 1000 题", "BBC, the first 1000"] = bbc[:1000], "en"
    tables = {
        name: cue_table(sets_of(rows, tongue), [row.label for row in rows], cue_productivity)
        for name, (rows, tongue) in panels.items()
    }
    words_of_chart = chart_words(LANG)
    with chart(len(tables), width=3.8, height=3.3) as axes:
        for axis, (name, table) in zip(axes, tables.items()):
            points = np.array([(one.coverage, one.productivity) for one in table])
            is_cue = np.array([one.luck < 1e-3 for one in table])
            axis.plot(*points[~is_cue].T, "o", color="grey", ms=3, alpha=0.25)
            axis.plot(*points[is_cue].T, "D", color=COLOURS[1])
            for one in (one for one, flag in zip(table, is_cue) if flag):
                label = words_of_chart(one.word, one.word if one.word.isascii() else "cue")
                place = (one.coverage, one.productivity)
                axis.annotate(label, place, (-8, 8), textcoords="offset points", ha="right")
            axis.axhline(0.25, ls="--", color="black", lw=1)
            axis.set_xscale("log")
            axis.set(xlim=(7e-4, 1.3), ylim=(-0.04, 1.06))
            axis.set_xlabel(words_of_chart("覆盖率", "coverage"))
            axis.set_ylabel(words_of_chart("命中率", "productivity"))
            axis.set_title(words_of_chart(*name), fontsize=9)
    for name, table in tables.items():
        always = [one for one in table if one.productivity == 1]
        widest = max((one.coverage for one in always), default=0.0)
        cues = [one.word for one in table if one.luck < 1e-3]
        say(
            f"{name[0]}：{len(table):,} 个词，命中率 100 % 的 {len(always):,} 个（覆盖率最大的 "
            f"{widest:.1%}），不是运气的：{'、'.join(cues) or '一个也没有'}",
            f"{name[1]}: {len(table):,} words, {len(always):,} with a productivity of 100 % "
            f"(the widest covers {widest:.1%}); no luck: {', '.join(cues) or 'none'}",
        )

# %% [markdown] lang="zh"
r"""
BBC 两张图的上沿那一排，全是命中率 100 % 的词，有上千个。可它们都挤在最左边：只在几道题里出现过。一个词要是只管得到一道题，碰巧在正确答案里的机会就有四分之一；成千上万个这样的词，自然有上千个“百发百中”。（最右边那些点低于虚线，是 the、to 一类的词：常常不止一个答案里有，有了也不算命中。）

所以单看命中率，什么都“找得到”。橙色的菱形是另外算过的：**假如正确答案是抽签定的，这么多词里随便哪一个偏到这种程度**，机会不到千分之一，才算数（库里的 `cue_table` 用切尔诺夫界，再乘上词的个数）。左图只有埋下的那一个过了线；中图呢，看上面最后一栏。

右图是我们自己踩的坑，留着给你看。文章是按话题排的，前 1000 题全是商业新闻，错的答案却来自各种文章：于是 growth、its 这些商业新闻爱用的词，多半就在正确答案里。题目一道没改，**只是取了一截**，就漏了。抽样也能造出线索。

Niven 和 Kao 那套题里，“not” 的命中率是 61 %，覆盖率 64 %：听着不高，可那是两个答案的题，大半的题都管得到，一个词就比瞎猜多出一截。**命中率要和覆盖率、题数一起看。**
"""

# %% [markdown] lang="en"
r"""
The row along the upper edge of both BBC pictures are words with a productivity of 100 %, more than a thousand of them. But all of them crowd at the left: they occur in a few questions. A word that has a say in a single question stands in the right answer by luck one time in four; and of many thousands of such words, more than a thousand will "never miss". (The dots at the far right, below the dashed line, are words like "the" and "to": mostly more than one choice has them, and then they aren't productive.)

So by productivity alone one "finds" anything. The orange diamonds have passed another test: **if right answers were drawn by lot, the chance that any of so many words strays that far** is below one in a thousand (the library's `cue_table` takes Chernoff's bound, times the number of words). On the left only the planted one passes; for the middle, see the last column above.

The right picture is a trap that we walked into ourselves, and kept for you. Articles are in the order of topics, and the first 1000 questions are all business news, while wrong answers come from articles of all kinds: so words that business news is fond of, such as growth and its, are mostly in the right answer. Not one question was changed; we **took a slice**, and it leaks. Sampling makes cues, too.

In the set of Niven and Kao "not" has a productivity of 61 % and a coverage of 64 %. That sounds harmless; but with two choices and a say in most of the questions, one word is a good deal better than guessing. **Read productivity together with coverage, and with the number of questions.**
"""

# %% [markdown] lang="zh"
r"""
## 7c.4 练习：加一句干扰

前两样查的是题目，下面查模型。Jia 和 Liang（2017）往阅读题的文章里加一句话：像在回答问题，说的却是另一个人、另一个地方。人一看就知道不相干；模型要是只会“找一句长得像问题的话，把里面那个该是答案的词抄出来”，就会上当。

加的时候有三件事要当心，少一件，后面的成绩就不能算数：

- 答案在文章里的**位置**会变：前面多了几个词，它就往后挪几个；
- 不能插在答案**中间**，把它劈成两半；
- 干扰句里不能**也有**正确答案，否则模型答了它并不算错。

在纸上：文章 the cat sat on the mat，答案是第 4 到第 5 个词 the mat（从 0 数起）。第 0 个词之前插入 a dog ran：答案变成 7 到 8。第 6 个词之前（也就是末尾）插入：还是 4 到 5。第 5 个词之前：劈开了，不行。

写 `add_distractor(words, answer, distractor, position)`：

| 参数 | 说明 |
|---|---|
| `words` | 字符串的列表，文章的词 |
| `answer` | 一对整数 (first, last)，答案头尾两个词的位置，从 0 数起，**两头都算在内**；last < `len(words)` |
| `distractor` | 字符串的列表，干扰句的词 |
| `position` | 整数，0 到 `len(words)`；干扰句插在第 `position` 个词**之前**，等于 `len(words)` 就是放在末尾 |

- 插在答案前面（包括紧挨着，`position == first`），答案的两个位置都往后挪；插在后面，不动。
- 插进答案**中间**（first < position ≤ last），或者 `position` 超出范围：抛出 `ValueError`。
- 干扰句里要是**连着**出现了答案的那几个词，就成了第二个正确答案：抛出 `ValueError`。散着出现不要紧；比的是词，不是拼起来的字符串。
- **返回**一对 `(words, answer)`：新的列表，和新的一对 (first, last)。传进来的列表别改动。
"""

# %% [markdown] lang="en"
r"""
## 7c.4 Exercise: add a distractor

The first two tools look at questions; from here on we look at models. Jia and Liang (2017) put a sentence into the texts of a reading test that seems to answer the question, but is about somebody or some place else. People see at once that it is beside the point; a model that has only learnt to "find a sentence that looks like the question, and copy from it what could be the answer" is taken in.

Three things need care, or the scores that follow mean nothing:

- the **place** of the answer changes: with some words more before it, it moves on by as many;
- the new sentence must not go **inside** the answer and cut it in two;
- the right answer must not be in the distractor **as well**, for then to answer that is no mistake.

On paper: in the text the cat sat on the mat the answer is words 4 to 5, the mat, counted from 0. With a dog ran before word 0 the answer is 7 to 8. Before word 6, which is the end, it stays 4 to 5. Before word 5 it is cut in two: not allowed.

Write `add_distractor(words, answer, distractor, position)`:

| Argument | Notes |
|---|---|
| `words` | list of str, the words of the text |
| `answer` | pair of ints (first, last), the places of the answer's first and last word, from 0, **both included**; last < `len(words)` |
| `distractor` | list of str, the words to put in |
| `position` | int from 0 to `len(words)`; the distractor comes **before** word `position`, and with `len(words)` at the end |

- Put in before the answer (right before it, `position == first`, too), both places of the answer move on; put in after it, they stay.
- **Inside** the answer (first < position ≤ last), or with a `position` out of range: `ValueError`.
- A distractor that has the answer's words **in a row** would be a second right answer: `ValueError`. Scattered they do no harm; and what is compared are words, not joined strings.
- **Returns** a pair `(words, answer)`: a new list, and the new pair (first, last). Don't change the lists that you are handed.
"""

# %% exercise="add_distractor"
from bert_keras.analysis.failure import add_distractor

# %% check="add_distractor"
check("add_distractor", add_distractor)

# %% [markdown] lang="zh"
r"""
**用一用：MiniLM 上不上当？** 找一个不用训练的“读者”：把文章的每一句和问题都变成 MiniLM 的向量（各词元状态的平均），挑最像问题的那一句，答案在那一句里就算对。短文是造出来的（6b 里见过）：两个虚构的地方，各种事实，所以本来就有一句“长得像”的：另一个地方的同一件事。（MiniLM 只懂英文，所以两种语言的版本看的都是英文；取不到就跳过，不影响得分。）

加三种干扰（这里什么也不训练，题目取自哪一部分都行；训练那部分地名多，够用）：

- **普通的**，最多 8 句，别的地方的同一件事：The capital of Gorenland is Osk.
- **狠的**，最多 8 句，把所问的地名也带上：Not to be confused with Jorholm: the capital of Gorenland is Osk.
- **回声**，只加 1 句，在最前面，把问题重说一遍：Visitors often ask: What is the capital of Jorholm?

三种都不是答案，人一个也不会看错。**先猜**：哪一种最伤？各剩几成？
"""

# %% [markdown] lang="en"
r"""
**Use it: is MiniLM taken in?** We need a "reader" that takes no training: turn every sentence of the text and the question into a vector of MiniLM (the mean over its tokens' states), choose the sentence most like the question, and count it as right if the answer is in there. The texts are generated, as in 6b: facts about two invented places, so that there is one lookalike from the start, the same fact of the other place. (Where MiniLM can't be had the cell is skipped; no points are lost.)

Three kinds of distractors are added (nothing is trained here, so any part of the set will do; the training part has names enough):

- **plain** ones, up to 8, the same fact of other places: The capital of Gorenland is Osk.
- **mean** ones, up to 8, with the asked name in them: Not to be confused with Jorholm: the capital of Gorenland is Osk.
- an **echo**, only one, at the beginning, which says the question again: Visitors often ask: What is the capital of Jorholm?

None of them is an answer, and nobody would take it for one. **Predict**: which kind hurts most? What is left with each?
"""

# %% tags=["experiment"]
import tempfile

from bert_keras.analysis.planted_flaws import answer_place, sentences_of, text_of, with_distractors
from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.layers.pooling import masked_mean
from bert_keras.text import packing
from bert_keras.text.corpora import generated_facts
from bert_keras.text.wordpiece import WordPieceTokenizer

model, known = None, {}  # and the vectors of what was read before
try:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
except CorpusError as problem:
    say(f"取不到 MiniLM，跳过：{problem}", f"MiniLM can't be had: {problem}")
else:
    model = build_backbone(checkpoint, dropout=0.0)
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


def vectors(texts, length=32):
    """Unit vectors (n, D): the mean of the states of all real tokens."""
    fresh = sorted({one for one in texts if one not in known})
    if fresh:
        ids = [(tokenizer.encode(one)[: length - 2], None) for one in fresh]
        batch = packing.pack_batch(ids, checkpoint.vocabulary, length)
        states = model.predict(batch, batch_size=100, verbose=0)["sequence_output"]
        means = np.asarray(masked_mean(keras.ops.convert_to_tensor(states), batch["padding_mask"]))
        known.update(zip(fresh, means / np.linalg.norm(means, axis=1, keepdims=True)))
    return np.stack([known[one] for one in texts])


def chosen_sentences(rows):
    """For each question the sentence that is most like it, and whether the answer is in there."""
    found = []
    for row in rows:
        words = words_of(row.context)
        places = sentences_of(words)
        likeness = (
            vectors([text_of([words[n] for n in one]) for one in places])
            @ vectors([row.question])[0]
        )
        choice = places[int(likeness.argmax())]
        found.append((choice, answer_place(row)[0] in choice))
    return found


def with_echo(row):
    """The question, put as a sentence of the text before all others."""
    echo = words_of(f"Visitors often ask: {row.question}")
    words, (first, _) = add_distractor(words_of(row.context), answer_place(row), echo, 0)
    start = len(text_of(words[:first])) + 1  # the space before it
    return row._replace(context=text_of(words), start=start)


KINDS = {"plain": ("普通的", "plain"), "mean": ("狠的", "mean"), "echo": ("回声", "echo")}
under = {}  # (kind, count): what was chosen
if model is not None and ready("add_distractor"):
    questions = generated_facts.load(size=200)["train"][:60]
    versions = {(kind, 0): questions for kind in KINDS}
    for kind, count in (("plain", 8), ("mean", 2), ("mean", 4), ("mean", 8)):
        rng = np.random.default_rng(count)
        versions[kind, count] = with_distractors(
            questions, count, rng, "en", kind == "mean", add_distractor
        )
    versions["echo", 1] = [with_echo(row) for row in questions]
    sentences = {
        text_of([words[n] for n in one])
        for rows in versions.values()
        for row in rows
        for words in [words_of(row.context)]
        for one in sentences_of(words)
    }
    vectors(sorted(sentences) + [row.question for row in questions])  # all at once: faster
    under = {name: chosen_sentences(rows) for name, rows in versions.items()}
    share = {name: np.mean([is_right for _, is_right in one]) for name, one in under.items()}
    words_of_chart = chart_words(LANG)
    with chart(1, width=4.6, height=3.0) as (axis,):
        for number, (name, words) in enumerate(KINDS.items()):
            line = {count: one for (kind, count), one in share.items() if kind == name}
            look = {"marker": MARKERS[number], "color": COLOURS[number]}
            axis.plot(*zip(*line.items()), label=words_of_chart(*words), **look)
            for count, one in line.items():
                say(f"{words[0]} {count} 句：对 {one:.0%}", f"{words[1]}, {count}: {one:.0%} right")
        axis.set_ylim(0, 1.05)
        axis.set_xlabel(words_of_chart("干扰的句数", "number of distractors"))
        axis.set_ylabel(words_of_chart("答对的份额", "share of right answers"))
        axis.legend(fontsize=8)

# %% [markdown] lang="zh"
r"""
普通的加到 8 句，几乎不伤：地名不对，向量就不像，MiniLM 是看名字的。狠的伤一些：名字有了，事情也对，有的题就分不清谁是谁的首府了（60 题，上下两三题不算什么；0 句和 8 句是同样的题，差得多才作数）。

伤得最重的是那一句最没用的回声：里面什么消息也没有，可**最像问题的，就是问题自己**。这个读者学的是“像”，不是“答”；平时两样总在一起，所以考得好，一拆开就露了底。找它的软处，靠的不是加得多，是想清楚它**凭什么**答对。微调过的读者凭的又不一样，那是 7c.7 的事。

看看狠的干扰把它骗到哪里。上面是原来的短文和它挑的句子，下面是加了两句之后。
"""

# %% [markdown] lang="en"
r"""
Even eight plain ones hardly hurt: the name is wrong, so the vectors aren't alike; MiniLM does go by names. Mean ones hurt a little: there is the name, and there is the fact, and for some questions likeness can't tell whose capital it is (of 60 questions, two or three more or less mean nothing; none and eight have the same questions, and only a larger difference counts).

What hurts most is the most useless of all, the echo: it says nothing whatever, but **nothing is more like the question than the question**. This reader has learnt to be alike, and not to answer; the two mostly go together, and so it scores well until they are taken apart. One finds where a model is weak not by adding more, but by thinking of **what it goes by**. A reader that was fine-tuned goes by something else again; that is for 7c.7.

See where mean distractors lead it. Above is the text as it was, and the sentence that was chosen; below, with two of them in it.
"""

# %% tags=["experiment"]
from bert_keras.analysis.span_lines import span_lines

if under:
    fooled = [
        n
        for n, ((_, was_right), (_, is_right)) in enumerate(zip(under["mean", 0], under["mean", 2]))
        if was_right and not is_right
    ]
    number = min(fooled, key=lambda n: len(questions[n].context)) if fooled else 0
    labels = text(("选中", "答案", "干扰"), ("chosen", "answer", "distractor"))
    groups = []
    for name, key in ((text("原来", "before"), ("mean", 0)), (text("之后", "after"), ("mean", 2))):
        row, (choice, _) = versions[key][number], under[key][number]
        words = words_of(row.context)
        first, last = answer_place(row)
        old = questions[number].context
        spans = []
        for one in sentences_of(words):
            is_new = text_of([words[n] for n in one]) not in old
            kinds = [labels[2]] * is_new + [labels[0]] * (one == choice)
            has_answer = first in one
            if kinds and has_answer:  # around the answer, which has a mark of its own
                around = ((one.start, first), (last + 1, one.stop - 1))  # the full stop stays out
                spans += [(kinds[0], a, b) for a, b in around if a < b]
            elif kinds:
                spans.append((" + ".join(kinds), one.start, one.stop))
            if has_answer:
                spans.append((labels[1], first, last + 1))
        groups.append((name, words, sorted(spans, key=lambda span: span[1])))
    print(questions[number].question)
    display(span_lines(groups, gap=5))
    say(
        f"{len(questions)} 题里，{len(fooled)} 题原来对、加两句狠的就错了。",
        f"Of {len(questions)} questions, {len(fooled)} were right before and are wrong with two "
        "mean ones.",
    )

# %% [markdown] lang="zh"
r"""
## 7c.5 练习：改一个词

加一句是往题外加，**改一个词**是往题里改：good 换成 bad，一句好评就成了差评，答案翻过来，别的一字不动。模型要是真在读，答案应当跟着翻。原来的一句和改过的一句合成一组，Gardner 等人（2020）叫它**对照组**（contrast set）。

在纸上：词典 {"warm": "cold"}，句子 warm days and cold nights 里有两处可以换，得到两句：cold days and cold nights（换第 0 个词），warm days and warm nights（换第 3 个词）。一次只换一处，不是两处一起换。

写 `contrast_edit(words, opposites)`：

- `words`：字符串的列表。`opposites`：字典，词 → 反义词；两个方向都要查，{"warm": "cold"} 里 cold 也换成 warm。一个词最多属于一对；词要整个相同，大小写也要相同。
- 句子里每有**一处**这样的词，就给一份改过的：只换那一处，别的词原样。同一个词出现两次，就是两份。
- **返回**列表，每项是一对 `(words, index)`：新的列表，和换掉的位置（从 0 数起）；按位置从前到后。没有可换的，返回空列表。传进来的列表和字典别改动。
"""

# %% [markdown] lang="en"
r"""
## 7c.5 Exercise: change one word

A distractor adds something beside the question; **changing one word** changes the question itself. With bad for good, praise becomes blame: the answer turns round, and not a letter else has moved. A model that reads should turn with it. The text and its changed copy are a group, which Gardner et al. (2020) call a **contrast set**.

On paper: with the dict {"warm": "cold"} the text warm days and cold nights has two places to exchange, and gives two texts: cold days and cold nights (word 0), and warm days and warm nights (word 3). One place at a time, not both at once.

Write `contrast_edit(words, opposites)`:

- `words`: list of str. `opposites`: dict from a word to its opposite, to be read both ways: with {"warm": "cold"}, cold becomes warm as well. No word is in two pairs; a word has to match as a whole, capitals included.
- For each **place** with such a word there is one changed copy, in which that place alone is exchanged and all other words stay. A word that stands there twice makes two copies.
- **Returns** a list of pairs `(words, index)`: a new list, and the place that was changed (from 0), in the order of places. With nothing to exchange, the list is empty. Don't change the list and the dict that you are handed.
"""

# %% exercise="contrast_edit"
from bert_keras.analysis.failure import contrast_edit

# %% check="contrast_edit"
check("contrast_edit", contrast_edit)

# %% [markdown] lang="zh"
r"""
改完了怎么算分？按句子算，对一半也有 50 %：一个只认 good 的模型，原句全对，改句全错。按**组**算：一组里每一句都对，这一组才算对。

在纸上：right = [对, 对, 对, 错, 对]，groups = [0, 0, 1, 1, 7]。三组里，0 和 7 全对，1 没有：一致率 2/3（按句子算是 4/5）。

写 `contrast_consistency(right, groups)`：

- `right`：(n,) 的 bool 数组，每一句答对没有。`groups`：(n,) 的整数数组，同一组的编号相同；编号不一定连着，也不一定排好序。
- **返回**小数，0 到 1：全组都答对的组，占所有组的几成。每组一票，不管组里有几句。n 至少是 1。
"""

# %% [markdown] lang="en"
r"""
How is that scored? Text by text, half of them right would be 50 %: a model that looks for one kind of word gets all originals right and all copies wrong. So the score goes by **groups**: a group is right if each text in it is.

On paper: right = [yes, yes, yes, no, yes] and groups = [0, 0, 1, 1, 7]. Of three groups 0 and 7 are right in full, and 1 isn't: the consistency is 2/3 (text by text, it is 4/5).

Write `contrast_consistency(right, groups)`:

- `right`: bool array of shape (n,), whether each text was answered rightly. `groups`: int array of shape (n,), the same number for all members of a group; numbers may have gaps and come in any order.
- **Returns** a float from 0 to 1: of all groups, the share all of whose members are right. Each group has one vote, however many members. n is at least 1.
"""

# %% exercise="contrast_consistency"
from bert_keras.analysis.failure import contrast_consistency

# %% check="contrast_consistency"
check("contrast_consistency", contrast_consistency)

# %% [markdown] lang="zh"
r"""
**用一用：两个影评分类器。** 都分褒贬（英文影评）：一个是**数词**的，就是你在 7c.2 写的朴素贝叶斯，8000 句影评训练；一个是 **MiniLM** 的句向量上接逻辑回归，400 句训练。拿留出的影评，挑里面**恰好有一个**词在下面的反义词表里、词的褒贬又跟标签一致的句子，换掉那个词，标签翻过来。

挑句子的规矩是事先定的，挑出来的全用，一句不扔。可是机器换词，有的换完并不真的翻（“too interesting, and occasionally annoying” 还是差评）。先看八句，自己判一判：几句真的翻了？

**先猜**：原句能对八成多。改过的呢？两句都对的组，占几成？哪个分类器好一些？
"""

# %% [markdown] lang="en"
r"""
**Use it: two classifiers of film reviews.** Both tell praise from blame. One **counts words**: the naive Bayes that you wrote in 7c.2, trained on 8000 reviews. The other is a logistic regression on vectors of **MiniLM**, trained on 400. Of the held-out reviews we take those with **exactly one** word in the dict below whose sense agrees with the label; that word is exchanged, and the label turns.

The rule was made beforehand, and all that it picks is used. But this is a machine exchanging words, and some copies don't really turn ("too interesting, and occasionally annoying" is still blame). Look at eight first and judge for yourself: how many have turned?

**Predict**: of the originals it gets more than eight in ten. And of the copies? In how many groups are both right? Which of the two does better?
"""

# %% tags=["experiment"]
import re

from bert_keras.text.corpora import english_sentiment

GOOD = (
    "good best better funny great interesting enjoyable clever smart entertaining fun fresh "
    "strong beautiful charming delightful compelling moving rich perfect brilliant engaging"
).split()
BAD = (
    "bad worst worse unfunny terrible boring tedious stupid dumb dull tiresome stale "
    "weak ugly annoying dreadful unconvincing unmoving poor awful dismal bland"
).split()
OPPOSITES = dict(zip(GOOD, BAD))
reviews, groups_of_two = None, []
try:
    reviews = english_sentiment.load()
except CorpusError as problem:
    say(f"取不到影评，跳过：{problem}", f"the reviews can't be had: {problem}")


def simple_words(one):
    return re.findall(r"[a-z'-]+|[^\sa-z'-]", one.lower())


if reviews and ready("contrast_edit", "contrast_consistency", "hypothesis_only_baseline"):
    for row in reviews["test"]:
        words = simple_words(row.text)
        copies = contrast_edit(words, OPPOSITES)
        if len(copies) == 1 and (words[copies[0][1]] in GOOD) == (row.label == 1):
            groups_of_two.append((" ".join(words), " ".join(copies[0][0]), row.label))
    say(f"{len(groups_of_two)} 组", f"{len(groups_of_two)} groups")
    shown = sorted(groups_of_two, key=lambda group: len(group[0]))[4:36:4]
    for before, after, label in shown:
        print(f"{'-+'[label]} {before}\n{'+-'[label]} {after}")
    pairs = groups_of_two[:80]
    texts = [one for before, after, _ in pairs for one in (before, after)]
    right_labels = np.array([one for *_, label in pairs for one in (label, 1 - label)])
    numbers = np.repeat(np.arange(len(pairs)), 2)
    train = reviews["train"]
    guessed = {
        text("数词", "counting words"): hypothesis_only_baseline(
            [" ".join(simple_words(row.text)) for row in train],
            [row.label for row in train],
            texts,
            2,
        )
    }
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        say("没有安装 scikit-learn，跳过 MiniLM。", "scikit-learn is not installed; no MiniLM.")
    else:
        if model is not None:
            some = [row for row in train[:400]]
            judge = LogisticRegression(max_iter=2000).fit(
                vectors([row.text for row in some]), [row.label for row in some]
            )
            guessed["MiniLM"] = judge.predict(vectors(texts))
    print()
    for name, guesses in guessed.items():
        is_right = guesses == right_labels
        both = contrast_consistency(is_right, numbers)
        say(
            f"{name}：原句对 {is_right[::2].mean():.0%}，改句对 {is_right[1::2].mean():.0%}，"
            f"两句都对 {both:.0%}",
            f"{name}: originals {is_right[::2].mean():.0%}, copies {is_right[1::2].mean():.0%}, "
            f"both {both:.0%}",
        )

# %% [markdown] lang="zh"
r"""
原句八成多，两句都对的只有三四成：一个词翻了，整句的褒贬翻了，两个分类器大多还照原来的说。数词的不奇怪：别的词一个没变，good 一个词的分量，压不过其余的二十个。MiniLM 的向量也差不多：一句话的平均里，一个词只占一小份。

那些没有真翻的句子占几成，你刚才数过；假如是两成，一个什么都读得懂的人也只能到八成左右，三四成还是差得远。Gardner 等人是请出题的专家一句句改、一句句复核的，道理就在这里。
"""

# %% [markdown] lang="en"
r"""
More than eight in ten of the originals, and both right in three or four groups out of ten: one word has turned, the whole review with it, and mostly the two classifiers go on saying what they said. From counting words that is no surprise: all other words are as they were, and one "good" doesn't outweigh twenty of them. Vectors of MiniLM behave much the same: in the mean over a sentence one word is a small part.

How many copies haven't really turned you have counted yourself; if it is two in ten, then somebody who understands everything would reach about eight in ten, and three or four is still far from it. This is why Gardner et al. had experts make each change and check it.
"""

# %% [markdown] lang="zh"
r"""
## 7c.6 练习：它有几成把握

最后问模型自己：你有几成把握？softmax 吐出来的数看着像概率，加起来是 1；可“0.9”是不是真的十次里对九次，没有谁保证。

查法很直接：把答案按**把握**分格，每格里数一数真对了几成，跟平均的把握比。差多少，按各格的题数加权平均，就是**校准误差**（expected calibration error，ECE；Guo 等人 2017）。

在纸上：三行，把握 0.9、0.9、0.6，对错是 对、错、对，十格。0.9 那一格：把握 0.9，准确率 1/2，差 0.4，占 2/3；0.6 那一格：把握 0.6，准确率 1，差 0.4，占 1/3。校准误差 0.4。注意两格的差**一正一负**，要先取绝对值再平均，否则会抵消。

写 `calibration_error(probabilities, labels, num_bins)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `probabilities` | (n, C) | 浮点数组，每行加起来是 1；n 至少是 1 |
| `labels` | (n,) | 整数数组，正确的类 |
| `num_bins` | | 整数，格子的个数，至少是 1 |

- 一行的**把握**是它最大的概率；它的答案是概率最大的类（一样大取第一个）。
- 格子 b（从 0 数起）是 (b / num_bins, (b + 1) / num_bins]：左边不含，右边含；第一个格子两头都含。
- **返回**小数：$\sum_b \frac{n_b}{n} \left| \text{acc}_b - \text{conf}_b \right|$，$n_b$ 是格子里的行数，$\text{acc}_b$ 是其中答对的份额，$\text{conf}_b$ 是其中把握的平均。空格子不算。
- 用 NumPy，float64；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7c.6 Exercise: how sure is it?

In the end we ask the model itself: how sure are you? What a softmax gives looks like probabilities and adds up to 1; but nothing makes sure that "0.9" is right nine times in ten.

The test is straightforward: sort the answers into bins by **confidence**, count in each bin how many are right, and compare that with the mean confidence. The distance, averaged over bins by how many rows they have, is the **expected calibration error** (ECE; Guo et al. 2017).

On paper: three rows with confidences 0.9, 0.9 and 0.6, which are right, wrong and right; ten bins. At 0.9: confidence 0.9, accuracy 1/2, a distance of 0.4, for 2/3 of the rows. At 0.6: confidence 0.6, accuracy 1, a distance of 0.4, for 1/3. The error is 0.4. Mind that one bin is too sure and the other not sure enough: **absolute values come before the mean**, or the two would cancel.

Write `calibration_error(probabilities, labels, num_bins)`:

| Argument | Shape | Notes |
|---|---|---|
| `probabilities` | (n, C) | float array, each row adds up to 1; n is at least 1 |
| `labels` | (n,) | int array, the right classes |
| `num_bins` | | int, how many bins, at least 1 |

- The **confidence** of a row is its largest probability; its answer is the class with the largest probability (of equals the first).
- Bin b, counted from 0, is (b / num_bins, (b + 1) / num_bins]: open below and closed above; the first bin is closed on both sides.
- **Returns** a float: $\sum_b \frac{n_b}{n} \left| \text{acc}_b - \text{conf}_b \right|$, where $n_b$ is the number of rows in the bin, $\text{acc}_b$ the share of them that is right, and $\text{conf}_b$ the mean of their confidences. Empty bins count nothing.
- Use NumPy and float64, and don't change the arrays that you are handed.
"""

# %% exercise="calibration_error"
from bert_keras.analysis.calibration import calibration_error

# %% check="calibration_error"
check("calibration_error", calibration_error)

# %% [markdown] lang="zh"
r"""
量出来不准，怎么修？最便宜的一招只有**一个数**：所有 logits 都除以**温度** T。T > 1，分布变平，把握变小；T < 1 相反。大小次序不动，所以**答案一个不变，准确率也不变**，改的只是把握。

T 怎么选？不直接去凑校准误差（格子一换就变），而是在留出的数据上取**平均负对数似然**最小的：说得越满、错得越惨，罚得越重，于是它自己会找到平衡。

当心一件事：除以很小的 T，或者 logits 本来就上万，$e^z$ 会溢出；先减掉每行的最大值，softmax 不变。正确的类落后太多时，概率会下溢成 0，再取对数就是 −∞：对数要在取指数之前就算好。

写 `temperature_scale(logits, labels, temperatures)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `logits` | (n, C) | 浮点数组，可能很大（上万）：不许溢出成 NaN；正确类的概率小到下溢成 0 时，它的对数也不许是 −∞ |
| `labels` | (n,) | 整数数组，正确的类 |
| `temperatures` | | 一列正的小数，候选的温度 |

- 概率是 softmax(logits / T)。逐个温度算正确类的**平均负对数似然** $-\frac{1}{n} \sum_i \ln p_{i, y_i}$，取最小的；一样小取排在前面的。
- **返回**一对 `(temperature, probabilities)`：选中的温度，和 softmax(logits / 选中的温度)，(n, C) 的浮点数组。
- 用 NumPy，float64；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
If it is off, what is the repair? The cheapest has **a single number**: divide all logits by a **temperature** T. With T > 1 the distribution becomes flatter and confidence smaller, with T < 1 the opposite. The order stays, so **no answer changes, and accuracy doesn't, either**; what changes is confidence.

How is T chosen? Not by the calibration error itself (other bins, another T), but as the one with the lowest **mean negative log likelihood** on held-out data: the surer a wrong answer, the harder the punishment, so this finds the balance by itself.

One warning: divided by a small T, or with logits of tens of thousands, $e^z$ overflows; with the row's largest taken off first the softmax is the same. And where the right class is far behind, its probability underflows to 0, whose logarithm is −∞: get the logarithm without going through the probability.

Write `temperature_scale(logits, labels, temperatures)`:

| Argument | Shape | Notes |
|---|---|---|
| `logits` | (n, C) | float array, may be large (tens of thousands): nothing may overflow to NaN, and where the probability of the right class underflows to 0, its logarithm must not become −∞ |
| `labels` | (n,) | int array, the right classes |
| `temperatures` | | positive floats to choose from |

- Probabilities are softmax(logits / T). For each temperature there is a **mean negative log likelihood** of the right classes, $-\frac{1}{n} \sum_i \ln p_{i, y_i}$; the lowest wins, of equals the first in the list.
- **Returns** a pair `(temperature, probabilities)`: the one that was chosen, and softmax(logits / that temperature), a float array of shape (n, C).
- Use NumPy and float64, and don't change the arrays that you are handed.
"""

# %% exercise="temperature_scale"
from bert_keras.analysis.calibration import temperature_scale

# %% check="temperature_scale"
check("temperature_scale", temperature_scale)

# %% [markdown] lang="zh"
r"""
**看一看：修之前，修之后。** 还是 MiniLM 的句向量和逻辑回归，只是这回几乎不加正则（`C=100`），让它把 400 句训练影评背得滚瓜烂熟。温度在 dev 的 250 句上选，图画的是**另外** 250 句 test。这样的图叫**可靠性图**（reliability diagram）。

**先猜**：左图里，蓝条（准确率）在虚线上面还是下面？选出来的温度大于 1 还是小于 1？准确率变多少？
"""

# %% [markdown] lang="en"
r"""
**See it: before and after.** Vectors of MiniLM and a logistic regression once more, but with hardly any regularisation this time (`C=100`), so that it learns its 400 reviews by heart. The temperature is chosen on 250 reviews of dev; the picture, a **reliability diagram**, shows **250 others**, of test.

**Predict**: on the left, are the blue bars (accuracy) above the dashed line or below? Is the temperature above 1 or below? By how much does accuracy change?
"""

# %% tags=["experiment"]
from bert_keras.analysis.reliability import reliability_diagram

errors = {}  # before and after, on test
if model is not None and reviews and ready("calibration_error", "temperature_scale"):
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        say("没有安装 scikit-learn，跳过。", "scikit-learn is not installed; skipping it.")
    else:
        parts = {
            "train": reviews["train"][:400],
            "dev": reviews["dev"][:250],
            "test": reviews["test"][:250],
        }
        seen = {part: vectors([row.text for row in rows]) for part, rows in parts.items()}
        truth = {part: np.array([row.label for row in rows]) for part, rows in parts.items()}
        sure = LogisticRegression(C=100, max_iter=5000).fit(seen["train"], truth["train"])
        logits = {}
        for part, x in seen.items():
            score = sure.decision_function(x)
            logits[part] = np.stack([np.zeros_like(score), score], axis=1)  # (n, 2)
        candidates = [float(one) for one in np.geomspace(0.25, 16, 97)]
        temperature, _ = temperature_scale(logits["dev"], truth["dev"], candidates)
        panels = []
        for name, one in ((text("修之前", "before"), 1.0), (text("修之后", "after"), temperature)):
            _, probabilities = temperature_scale(logits["test"], truth["test"], [one])
            error = calibration_error(probabilities, truth["test"], 10)
            errors[name] = error, np.mean(probabilities.argmax(axis=1) == truth["test"])
            title = f"{name}, T = {one:.2f}, ECE = {error:.3f}"
            panels.append((title, probabilities, truth["test"], 10))
        display(
            reliability_diagram(
                panels,
                text(
                    ("把握", "准确率", "太有把握", "把握不足", "占多少行"),
                    ("confidence", "accuracy", "too sure", "not sure enough", "share of rows"),
                ),
            )
        )
        learnt = np.mean(logits["train"].argmax(axis=1) == truth["train"])
        say(f"训练句子对 {learnt:.0%}", f"right for {learnt:.0%} of the training reviews")
        for name, (error, accuracy) in errors.items():
            say(
                f"{name}：准确率 {accuracy:.1%}，校准误差 {error:.3f}",
                f"{name}: accuracy {accuracy:.1%}, calibration error {error:.3f}",
            )

# %% [markdown] lang="zh"
r"""
修之前，右边的格子又高又挤：它动不动就说九成以上的把握，真对的却远没有那么多（橙色是多说的那一截）。道理在训练里：训练句子已经几乎全对，再想把损失往下压，唯一的办法就是**把话说得更满**，logits 越长越大。除以一个大于 1 的温度，把这一截还回去；准确率一个字也没变。

剩下的误差不是 0，还拧过了头一点（绿色的是把握不足）：温度是在别的 250 句上选的；只有一个旋钮，也拧不平每一格；再说只有两类，把握不会低于一半，十格只用得上五格，一格平均 50 句，光是数数的起伏就有几个百分点。**校准误差有下限，题越少下限越高**，拿两个数比的时候别忘了。
"""

# %% [markdown] lang="en"
r"""
Before, the bins on the right are tall and crowded: it says "more than 90 % sure" all the time, and is right far less often (orange is what it claims too much). Training explains why: when nearly all training texts are right, the only way to press the loss further down is to **say the same louder**, with larger and larger logits. A temperature above 1 takes that back; and accuracy hasn't moved at all.

What is left isn't 0, and it has gone a little too far (green is not sure enough): the temperature was chosen on 250 other reviews; there is one knob, which can't level every bin; and with two classes no confidence is below one half, so 250 reviews share five bins, about 50 each, where mere counting is off by several points. **The calibration error has a floor, and the fewer rows, the higher it is**; remember that when you compare two of them.
"""

# %% [markdown] lang="zh"
r"""
## 7c.7 存好的实验

三件要跑得久的事：断言事先写好，各跑三个种子，结果存在本章旁边。（还没有量过的，单元格会说一声，接着往下做就行。）

**一、BERT 会不会也抄近路？** 7c.2 里抄近路的是朴素贝叶斯，它本来就只看得见后半句。小 BERT 两句都看得见，练在埋了词的题上，它是读题，还是记词？考三份卷子：埋法跟训练一样的、没埋的、**反着**埋的（词加到别的类前面）。**先猜**：三份各对几成？跟练在没埋的题上的那个比呢？
"""

# %% [markdown] lang="en"
r"""
## 7c.7 Stored experiments

Three things that take longer. Their claims were written down beforehand, there are three seeds, and the results are kept beside this notebook. (Where one hasn't been measured yet, the cell says so; just go on.)

**One: does BERT take the short cut, too?** In 7c.2 it was naive Bayes, which can see nothing but the second sentence. A small BERT sees both; trained on the planted set, does it read the question or learn the word? It sits three tests: planted as in training, with nothing planted, and planted **the other way round** (the word before all other classes). **Predict**: how many are right in each? And compared with one that was trained with nothing planted?
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


def spread(figure, digits=3):
    return f"{figure['mean']:.{digits}f} ± {figure['sd']:.{digits}f}"


hypothesis_only = stored("hypothesis_only")
if hypothesis_only:
    verdict_of(hypothesis_only)
    trained_on = {
        "clean": text("练在没埋的题上", "trained with nothing planted"),
        "planted": text("练在埋了词的题上", "trained on planted ones"),
    }
    tests = {
        "planted": text("照样埋", "planted alike"),
        "clean": text("没埋", "nothing planted"),
        "turned": text("反着埋", "the other way round"),
    }
    for tongue, figures in hypothesis_only["figures"].items():
        line = "  ".join(f"{share}: {spread(one)}" for share, one in figures["half"].items())
        print(f"[{tongue}]", text("只看后半句", "second sentence only"), line)
        for name, title in trained_on.items():
            line = "  ".join(
                f"{shown} {spread(figures['both'][name][test])}" for test, shown in tests.items()
            )
            print(f"[{tongue}] BERT, {title}: {line}")

# %% [markdown] lang="zh"
r"""
读这张表，先看**每一行里**三份卷子的差：练在没埋的题上的，三份应当差不多（那个词对它没有意思）；练在埋了词的题上的，差多大，它就有多靠那个词。只报“照样埋”那一份的成绩，谁也看不出它在记词：**测试集和训练集是一道埋的**。

**二、干扰，和怎么修。** MiniLM 的下三层（省一半时间），微调成抽取式问答和四选一；考的时候加 0、1、2、4 句干扰，普通的和狠的。然后换一种练法：训练的短文里随机掺上 0 到 2 句干扰（两种都有），别的不动。**先猜**：掺着练的，考 4 句（训练里没有过这么多）还行不行？考没有干扰的，会不会变差？
"""

# %% [markdown] lang="en"
r"""
To read this, compare the three tests **within a row**: with nothing planted in training they should come out alike, for the word means nothing to it; with the word planted in training, the larger the difference, the more it goes by the word. From "planted alike" by itself nobody can tell: **the test set was planted together with the training set**.

**Two: distractors, and a repair.** The lower three layers of MiniLM (that saves half of the time) are fine-tuned to find answers in a text, and to choose one of four; they are tested under 0, 1, 2 and 4 distractors, plain and mean. Then they are trained in another way: 0 to 2 distractors are mixed into the training texts at random, of both kinds, and nothing else is changed. **Predict**: trained like that, how does it do under 4, more than it has ever seen? And is it worse where there are none?
"""

# %% tags=["experiment"]
under_distractors = stored("under_distractors")
if under_distractors:
    verdict_of(under_distractors)
    words_of_chart = chart_words(LANG)
    titles = {"spans": ("抽取式问答", "finding answers"), "choices": ("四选一", "one of four")}
    ways = {"plain": ("照常练", "trained as usual"), "repaired": ("掺着练", "with distractors")}
    kinds = {"other": ("普通", "plain"), "mean": ("狠", "mean")}
    with chart(2, width=4.6, height=3.4) as axes:
        for axis, (task, figures) in zip(axes, under_distractors["figures"].items()):
            for colour, (way, way_name) in enumerate(ways.items()):
                for number, (kind, kind_name) in enumerate(kinds.items()):
                    points = {0: figures[way]["0"]}
                    for name, one in figures[way].items():
                        if name.startswith(kind):
                            points[int(name.split("_")[1])] = one
                    axis.errorbar(
                        list(points),
                        [one["mean"] for one in points.values()],
                        [one["sd"] for one in points.values()],
                        marker=MARKERS[number],
                        color=COLOURS[colour],
                        ls="-" if number else "--",
                        label=words_of_chart(
                            f"{way_name[0]}，{kind_name[0]}", f"{way_name[1]}, {kind_name[1]}"
                        ),
                    )
            axis.set_ylim(0, 1.05)
            axis.set_title(words_of_chart(*titles[task]), fontsize=9)
            axis.set_xlabel(words_of_chart("干扰的句数", "number of distractors"))
            axis.set_ylabel(words_of_chart("答对的份额", "share of right answers"))
        axes[-1].legend(fontsize=7)
    for task, figures in under_distractors["figures"].items():
        for way, names in ways.items():
            line = "  ".join(f"{name}: {spread(one, 2)}" for name, one in figures[way].items())
            print(text(titles[task][0], titles[task][1]), text(*names), line)

# %% [markdown] lang="zh"
r"""
掺干扰是一种**数据增广**，它修的是掺过的那一种错。蓝线和橙线之间的差，说的是对这两种干扰修好了多少；换一种没掺过的（换个说法，换个位置），修没修好，这张图**没有说**。Jia 和 Liang 也试过：拿干扰句练出来的模型不怕那种干扰了，把干扰句挪到文章开头、换一批假答案，它又上当。

**三、温度，两种语言。** 中文：从头练的小 BERT，2000 句评论；英文：整个微调的 MiniLM，320 句影评。都练到训练句子几乎全对。温度在 dev 上选，在 test 上量。
"""

# %% [markdown] lang="en"
r"""
To mix in distractors is **data augmentation**, and it repairs the kind of mistake that was mixed in. How far the blue and the orange lines are apart says how much is repaired for these two kinds; for a kind that wasn't mixed in, other words or another place, this picture says **nothing**. Jia and Liang tried that, too: trained with their distractors, a model no longer fell for them; with the sentence at the beginning of the text and other false answers in it, it did again.

**Three: temperature, in two languages.** Chinese: a small BERT from scratch on 2000 reviews; English: all of MiniLM fine-tuned on 320 film reviews. Both are trained until they know nearly all of these. The temperature is chosen on dev and judged on test.
"""

# %% tags=["experiment"]
calibration = stored("calibration")
if calibration:
    verdict_of(calibration)
    words_of_chart = chart_words(LANG)
    stages = {"before": ("修之前", "before"), "after": ("修之后", "after")}
    with chart(2, width=4.2, height=3.6) as axes:
        for axis, (tongue, figures) in zip(axes, calibration["figures"].items()):
            for number, (stage, names) in enumerate(stages.items()):
                bins = [one for one in figures[stage]["bins"].values() if one["share"]["mean"] > 0]
                axis.plot(
                    [one["sure"]["mean"] / one["share"]["mean"] for one in bins],
                    [one["right"]["mean"] / one["share"]["mean"] for one in bins],
                    MARKERS[number] + "-",
                    color=COLOURS[number],
                    label=words_of_chart(*names),
                )
            axis.plot([0, 1], [0, 1], "--", color="black", lw=1)
            axis.set(xlim=(0.45, 1.02), ylim=(0.3, 1.02))
            axis.set_title(tongue, fontsize=9)
            axis.set_xlabel(words_of_chart("把握", "confidence"))
            axis.set_ylabel(words_of_chart("准确率", "accuracy"))
            axis.legend(fontsize=8)
    for tongue, figures in calibration["figures"].items():
        say(
            f"[{tongue}] 温度 {spread(figures['temperature'], 2)}",
            f"[{tongue}] temperature {spread(figures['temperature'], 2)}",
        )
        for stage, names in stages.items():
            one = figures[stage]
            say(
                f"[{tongue}] {names[0]}：准确率 {spread(one['accuracy'])}，平均把握 "
                f"{spread(one['confidence'])}，校准误差 {spread(one['error'])}，负对数似然 "
                f"{spread(one['loss'])}",
                f"[{tongue}] {names[1]}: accuracy {spread(one['accuracy'])}, mean confidence "
                f"{spread(one['confidence'])}, calibration error {spread(one['error'])}, negative "
                f"log likelihood {spread(one['loss'])}",
            )

# %% [markdown] lang="zh"
r"""
修好的是**平均**：十句“八成把握”里大约对八句。哪两句会错，温度一点也不知道；题目换了来路（换个网站的评论，换成反着埋的词），连平均也不作数，要在新的数据上重选。

## 7c.8 找错练习

下面的 `patient` 给一个分类器选温度，再报校准误差。它跑得起来，数也像模像样，可是有**一个**毛病。别的班可能是别的毛病。

`patient(logits, labels, dev, temperatures, num_bins)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `logits` | (n, C) | 浮点数组，不大 |
| `labels` | (n,) | 整数数组，正确的类 |
| `dev` | (n,) | bool 数组，True = 用来选温度的行；其余的行用来量。两种都有 |
| `temperatures` | | 列表，正的小数，候选的温度 |
| `num_bins` | | 整数，格子的个数 |

- 温度在 `dev` 的行上选：平均负对数似然最小的，一样小取第一个，约定同 7c.6。
- 校准误差在**其余**的行上量，约定同 7c.6，量两次：除以温度之前的概率，和之后的。
- **返回**三个数 `(temperature, before, after)`：选中的温度，之前的误差，之后的误差。

1. 先别盯着代码看，做实验：用小到手算得出来的例子，看它返回什么。只改 `dev` 以外那些行的标签，选中的温度该不该变？只改 `dev` 那些行的标签，之前的误差该不该变？每一行都又有把握又答对，误差该是多少？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `chosen_on_all_rows` | 选温度用了所有的行，不只是 `dev` 的 |
| `judged_on_all_rows` | 误差在所有的行上量，`dev` 的也算进去了 |
| `multiplied_by_temperature` | 乘了温度，没有除 |
| `chosen_by_accuracy` | 选准确率最高的温度：准确率不随温度变，于是总选第一个 |
| `probabilities_scaled` | 温度除在概率上，再做一次 softmax，没有除在 logits 上 |
| `bins_weigh_the_same` | 各格的差直接平均，没有按行数加权 |
| `signed_gaps` | 各格的差带着正负相加，最后才取绝对值 |
| `confidence_of_the_label` | 把正确那一类的概率当作把握，没有取最大的概率 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
What is repaired is the **mean**: of ten answers that are "80 % sure" about eight are right. Which two are wrong a temperature can't know; and on questions from elsewhere (reviews of another site, or words planted the other way round) even the mean doesn't hold, and it has to be chosen anew.

## 7c.8 Debugging drill

`patient` below chooses a temperature for a classifier and reports calibration errors. It runs, and its numbers look plausible, but it has **one** fault. Other classes may get other faults.

`patient(logits, labels, dev, temperatures, num_bins)`:

| Argument | Shape | Notes |
|---|---|---|
| `logits` | (n, C) | float array, not large |
| `labels` | (n,) | int array, the right classes |
| `dev` | (n,) | bool array, True = a row to choose the temperature by; all others are judged. There are both |
| `temperatures` | | list of positive floats to choose from |
| `num_bins` | | int, how many bins |

- The temperature is chosen on the rows of `dev`: the lowest mean negative log likelihood, of equals the first, as in 7c.6.
- The calibration error is taken on **all other** rows, as in 7c.6, twice: of the probabilities before dividing by the temperature, and after.
- **Returns** three numbers, `(temperature, before, after)`: the temperature, the error before, and the error after.

1. Don't stare at the code first; experiment with something small enough to do by hand, and see what it says. Change labels outside of `dev` only: should the temperature change? Change labels in `dev` only: should the error before change? If every row is both sure and right, what should the error be?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `chosen_on_all_rows` | the temperature is chosen on all rows, and not on those of `dev` only |
| `judged_on_all_rows` | errors are taken on all rows, those of `dev` among them |
| `multiplied_by_temperature` | it multiplies by the temperature instead of dividing |
| `chosen_by_accuracy` | the temperature with the highest accuracy is taken: that doesn't depend on it, so it is always the first |
| `probabilities_scaled` | probabilities are divided by the temperature and go through a softmax once more, instead of logits |
| `bins_weigh_the_same` | a plain mean over bins, not weighted by their rows |
| `signed_gaps` | distances are added up with their signs, and the absolute value comes last |
| `confidence_of_the_label` | the probability of the right class is taken for confidence, and not the largest |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch07c_failure"
from drill import patient, suspect, repaired

# %% check="drill_ch07c_failure"
check("drill_ch07c_failure", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 7c.9 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）没有现成的校准工具，可是它的 `BertTextClassifier` 有个 `activation` 参数：给 `None`，吐的是 logits，拿去选温度；选好了，另做一个同样参数的，`activation` 写成“除以 T，再 softmax”，上线用的就是校准过的。下面做一个很小的，标签按 softmax(logits / 3) 抽签，所以正确的温度大约是 3。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 7c.9 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has no tool for calibration, but its `BertTextClassifier` has an argument `activation`: with `None` it gives logits, by which to choose a temperature; and then a second one with the same weights, whose `activation` divides by T before the softmax, is calibrated for use. Below is a tiny one; labels are drawn from softmax(logits / 3), so the right temperature is about 3. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
try:
    import keras_hub
except ImportError:
    keras_hub = None
    say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
if keras_hub is not None and ready("temperature_scale", "calibration_error"):
    keras.utils.set_random_seed(0)
    sizes = {"num_layers": 1, "num_heads": 2, "hidden_dim": 16, "intermediate_dim": 32}
    body = keras_hub.models.BertBackbone(30, **sizes, dropout=0.0, max_sequence_length=8)
    theirs = keras_hub.models.BertTextClassifier(body, 3, activation=None, dropout=0.0)
    rng = np.random.default_rng(0)
    for variable in theirs.weights:  # fresh weights are so small that all classes look alike
        variable.assign(rng.normal(scale=0.8, size=variable.shape))
    batch = {
        "token_ids": rng.integers(1, 30, size=(2000, 8)).astype("int32"),
        "segment_ids": np.zeros((2000, 8), "int32"),
        "padding_mask": np.ones((2000, 8), "int32"),
    }
    raw = theirs.predict(batch, batch_size=500, verbose=0).astype("float64")  # logits
    shares = np.asarray(keras.ops.softmax(raw / 3))
    drawn = (rng.random((2000, 1)) > shares.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    chosen, mine = temperature_scale(raw, drawn, [float(one) for one in np.arange(1, 6.1, 0.25)])
    calibrated = keras_hub.models.BertTextClassifier(
        body, 3, activation=lambda z: keras.ops.softmax(z / chosen), dropout=0.0
    )
    calibrated.set_weights(theirs.get_weights())
    out = calibrated.predict(batch, batch_size=500, verbose=0)
    _, plain = temperature_scale(raw, drawn, [1.0])
    say(
        f"选中的温度 {chosen}；两边的概率最多差 {np.abs(out - mine).max():.0e}；校准误差 "
        f"{calibration_error(plain, drawn, 10):.3f} → {calibration_error(mine, drawn, 10):.3f}",
        f"temperature {chosen}; probabilities differ by {np.abs(out - mine).max():.0e}; "
        f"calibration error {calibration_error(plain, drawn, 10):.3f} → "
        f"{calibration_error(mine, drawn, 10):.3f}",
    )

# %% [markdown] lang="zh"
r"""
## 7c.10 常见误解

先逐句判断，再看数字。

1. 留出的测试集上考得高，就是学会了这个任务。
2. 某个词的命中率 100 %，说明它在泄题。
3. 只看后半句考得像瞎猜，后半句就没有漏。
4. softmax 的输出加起来是 1，所以就是模型的把握。
5. 温度缩放让模型更准。
"""

# %% [markdown] lang="en"
r"""
## 7c.10 Myth box

Judge each sentence first, then look at the numbers.

1. A high score on a held-out test set means that the task was learnt.
2. If a word has a productivity of 100 %, it gives the answer away.
3. If the second sentence alone scores like guessing, the second sentence doesn't leak.
4. What a softmax gives adds up to 1, so it is how sure the model is.
5. Temperature scaling makes a model more accurate.
"""

# %% tags=["experiment"]
if ready("hypothesis_only_baseline"):
    turned = {
        "train": leaky["train"],
        "test": plant_word(
            clean["test"], CUE, inference.CONTRADICTION, 0.05, 0.6, np.random.default_rng(0), LANG
        ),
    }
    scores = [half_only(rows, lambda row: row.b, 3) for rows in (leaky, turned)]
    same, other = (np.mean(guesses == right) for guesses, right, _ in scores)
    say(
        f"1. 一道埋词的测试集 {same:.0%}，反着埋的 {other:.0%}",
        f"1. test planted alike {same:.0%}, planted the other way round {other:.0%}",
    )
if ready("cue_productivity"):
    lots = np.random.default_rng(0)
    drawn_sets = [
        [{f"w{n}" for n in lots.integers(3000, size=8)} for _ in "ab"] for _ in range(200)
    ]
    drawn_right = [int(n) for n in lots.integers(2, size=200)]
    by_lot = cue_table(drawn_sets, drawn_right, cue_productivity)
    always = sum(one.productivity == 1 for one in by_lot)
    say(
        f"2. 词和答案全是抽签的 200 题：{len(by_lot)} 个词里 {always} 个命中率 100 %",
        f"2. 200 questions, words and answers drawn by lot: of {len(by_lot)} words {always} have a "
        "productivity of 100 %",
    )
if ready("hypothesis_only_baseline"):
    # Two words, each pair equally often: together they tell everything, either alone nothing.
    lines = [f"{one} {two}" for one in "ab" for two in "cd"] * 100
    parity = np.array([0, 1, 1, 0] * 100)
    guesses = hypothesis_only_baseline(lines, parity, lines, 2)
    together = hypothesis_only_baseline(
        [one.replace(" ", "_") for one in lines],
        parity,
        [one.replace(" ", "_") for one in lines],
        2,
    )
    say(
        f"3. 答案全在后半句的两个词里：数单个的词对 {np.mean(guesses == parity):.0%}，"
        f"两个词粘成一个再数，对 {np.mean(together == parity):.0%}",
        f"3. all is in two words of the second sentence: single words "
        f"{np.mean(guesses == parity):.0%}, both glued into one {np.mean(together == parity):.0%}",
    )
for name, (error, accuracy) in errors.items():
    say(
        f"4./5. {name}：校准误差 {error:.3f}，准确率 {accuracy:.1%}",
        f"4./5. {name}: calibration error {error:.3f}, accuracy {accuracy:.1%}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **不一定。** 留出的测试集跟训练集是一个模子，埋在一处的线索两边都有。把线索反过来，同一个模型就比瞎猜还差。要换一份来路不同的、或者改过的卷子。
2. **不一定。** 词和答案都抽签，也有好几百个词“百发百中”，因为它们只出现过一两次。看覆盖率，算运气。
3. **推不出来。** 上面那套题，答案全在后半句，数单个的词却跟瞎猜差不多：它看不见“合着看”的线索。换个强一些的模型只看后半句，比如 BERT，再说没漏。
4. **不是自动的。** 那只是一组加起来是 1 的数。是不是把握，要量；量出来不是，就修。
5. **不。** 次序不动，答案一个也不变。准的是把握，不是答案。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Not necessarily.** A held-out test comes from the same mould as the training set, and what was planted in one is in the other. Turn the cue round, and the same model is worse than guessing. Take a test from elsewhere, or a changed one.
2. **Not necessarily.** With words and answers drawn by lot, hundreds of words "never miss", because they occur once or twice. Look at coverage, and reckon with luck.
3. **It doesn't follow.** Above, all of the answer is in the second sentence, and counting single words does about as well as guessing: it can't see what two words tell together. Give the second sentence alone to a stronger model, BERT for one, before you say that it doesn't leak.
4. **Not by itself.** It is a set of numbers that add up to 1. Whether they say how sure one may be has to be measured; and if they don't, repaired.
5. **No.** The order stays, and not one answer changes. What becomes right is the confidence.
"""

# %% [markdown] lang="zh" exercise="written_ch07c_failure"
r"""
## 7c.11 简答题

一家公司用 BERT 审合同：给一条标准条款和对方改过的条款，判断“一致”还是“有冲突”。测试集是律师照着标准条款改出来的 2000 对，随机留出，准确率 93 %，每个答案还附一个“把握”，平均 97 %。产品经理说：“把握 95 % 以上的直接放行，不用人看。”

用 150 字左右回答：上线之前你会做哪三样检查（本章的五样工具里选），每样给模型看什么、跟什么数比、出现什么结果你就不放行？引用本章的两个数字（至少一个是你**自己跑出来的**）说明为什么要查。

这道题由老师评阅，不计入 42 分。好的回答里有三样检查（各有对照和事先定好的线）、两个数字（各说明什么），并且看出 97 % 和 93 % 放在一起说明了什么。
"""

# %% [markdown] lang="en" exercise="written_ch07c_failure"
r"""
## 7c.11 Written question

A company has BERT check contracts: given a standard clause and the other side's version, it says "agrees" or "conflicts". The test set are 2000 pairs that lawyers made by changing standard clauses, held out at random; accuracy is 93 %, and each answer comes with a confidence, 97 % on average. The product manager says: "Whatever is more than 95 % sure goes through, nobody needs to look."

Answer in about 100 words: which three checks (of the five tools of this notebook) do you make before that, what is the model shown in each, with which number do you compare, and what result would stop you? Quote two numbers of this notebook (at least one that **you ran yourself**) to say why.

Your teacher reads this one; it is not part of the 42 points. A good answer has three checks (each with something to compare and a bar set beforehand), two numbers (and what each of them shows), and sees what 97 % beside 93 % says.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 三样检查各有对照：只给改过的条款（跟两类里多的那一类比）；数“不”“不得”之类的线索（命中率连同覆盖率、词的个数）；加一句无关条款，或把一个关键词（“应当”换“可以”）改掉，看答案跟不跟着变（按组算）。线要事先定。
2. 看出平均把握 97 % 高于准确率 93 %，已经说明太有把握；放行线要在留出的数据上按格子量过，温度另选；律师造的题和真实的合同不是一个来路，校准不会自动跟过去。
3. 引用的两个数字各说明一件事，例如 7c.2 里埋词前后的成绩、7c.5 里原句和两句都对的差、7c.6 里修前修后的校准误差。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Three checks, each with something to compare: the changed clause alone (against the commoner class); cues such as "not" or "shall not" (productivity with coverage and the number of words); an irrelevant clause added, or one key word changed ("shall" to "may"), scored by groups. Bars are set beforehand.
2. Sees that a mean confidence of 97 % above an accuracy of 93 % is too sure already; that the bar of 95 % has to be checked by bins on held-out data, with a temperature of its own; and that lawyers' made-up pairs and real contracts differ, so calibration needn't carry over.
3. Each of the two numbers shows something: for instance scores with and without the planted word in 7c.2, originals against both right in 7c.5, calibration error before and after in 7c.6.
"""

# %% [markdown] lang="zh"
r"""
## 7c.12 小结：半页带走

| 问什么 | 怎么查 | 当心 |
|---|---|---|
| 答案漏在一半里吗 | 遮掉另一半，让最笨的模型答 | 考得像瞎猜，不等于没漏 |
| 哪个词在泄题 | 命中率，连同覆盖率 $\alpha / n$ | 词多题少，运气也能“百发百中” |
| 会不会上当 | 加一句不相干的，答案跟着挪位 | 别造出第二个正确答案 |
| 是不是真在读 | 改一个词，按组算分 | 机器改的，有的没真翻 |
| 把握作不作数 | $\sum_b \frac{n_b}{n} \lvert \text{acc}_b - \text{conf}_b \rvert$ | 先绝对值，后平均；题少下限高 |
| 怎么便宜地修 | softmax(logits / T)，在 dev 上选 | 答案不变；换了来路要重选 |

**四条规矩。** 工具先在埋好的题上试；线事先定；每个数旁边摆着瞎猜的数；修好的只是掺过、量过的那一种。
"""

# %% [markdown] lang="en"
r"""
## 7c.12 Half a page to take with you

| Question | Test | Beware |
|---|---|---|
| does one half tell the answer? | hide the other, and let the dumbest model answer | a score like guessing doesn't show that it is clean |
| which word gives it away? | productivity, with coverage $\alpha / n$ | with many words and few questions, luck "never misses" |
| is it taken in? | add something beside the point; the answer's place moves | don't make a second right answer |
| does it read? | change one word, score by groups | of changes by machine some don't really turn |
| is its confidence worth anything? | $\sum_b \frac{n_b}{n} \lvert \text{acc}_b - \text{conf}_b \rvert$ | absolute values first, then the mean; few rows, high floor |
| a cheap repair? | softmax(logits / T), chosen on dev | no answer changes; choose anew elsewhere |

**Four rules.** Try each tool where the flaw is planted; set the bars beforehand; beside every number put that of guessing; and what is repaired is the kind that was mixed in and measured, no more.
"""

# %% [markdown] lang="zh"
r"""
## 7c.13 接下来

- **第 8 章**把模型变小。变小以后，这一章的五样检查都要再做一遍：准确率没掉，别的不一定没掉。
- 回头看 **7a**：关掉哪些头，上不上当会变？**7b** 的探针也有它的“瞎猜”：对照任务。

想读原文：只看后半句，[Poliak 等人](https://arxiv.org/abs/1805.01042)（2018）和 [Gururangan 等人](https://arxiv.org/abs/1803.02324)（2018）；线索，[Niven 和 Kao](https://arxiv.org/abs/1907.07355)（2019）；干扰，[Jia 和 Liang](https://arxiv.org/abs/1707.07328)（2017）；对照组，[Gardner 等人](https://arxiv.org/abs/2004.02709)（2020）；校准，[Guo 等人](https://arxiv.org/abs/1706.04599)（2017）。
"""

# %% [markdown] lang="en"
r"""
## 7c.13 Where next

- **Chapter 8** makes models smaller. Once smaller, all five checks of this notebook are due again: accuracy may have stayed where other things have not.
- And back to **7a**: without which heads is it taken in more, or less? The probes of **7b** have their own kind of "guessing", the control task.

For the sources: one half only, [Poliak et al.](https://arxiv.org/abs/1805.01042) (2018) and [Gururangan et al.](https://arxiv.org/abs/1803.02324) (2018); cues, [Niven and Kao](https://arxiv.org/abs/1907.07355) (2019); distractors, [Jia and Liang](https://arxiv.org/abs/1707.07328) (2017); contrast sets, [Gardner et al.](https://arxiv.org/abs/2004.02709) (2020); calibration, [Guo et al.](https://arxiv.org/abs/1706.04599) (2017).
"""
