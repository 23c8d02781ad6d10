"""Mistakes in beam search: switches and sentences."""

from autograder.exercises.ch03c_beam_hints import (
    END_HINTS,
    FORM_HINTS,
    ID_HINTS,
    IMPOSSIBLE_HINTS,
    KEEP_HINTS,
    LIST_HINTS,
    ORDER_HINTS,
    PENALTY_HINTS,
    PREFIX_HINTS,
    START_HINTS,
    STOP_HINTS,
    SUM_HINTS,
    TIE_HINTS,
    WIDTH_HINTS,
)

BEAM = {
    "all_beams_start_alike": (
        {"start": "all_alike"},
        "一开始就有几个一模一样的假设：它们的后代也两两相同，等于只搜了一条路。",
        "It starts with several hypotheses that are all alike, and so are their continuations: "
        "they all follow one path.",
        START_HINTS,
    ),
    "greedy_after_all": (
        ({"width": "one"}, {"width": "first_only"}),
        "只有最好的一个假设接着说：不管 beam_width 是几，都成了贪心。",
        "Only the best hypothesis is continued, whatever beam_width says: that is greedy decoding.",
        WIDTH_HINTS,
    ),
    "split_once_then_greedy": (
        {"width": "split_once"},
        "第一步分成几路，以后每一路各走各的贪心；应当每一步都把所有候选放在一起比。",
        "It splits at the first step, and then each of them goes on greedily; all candidates "
        "should be compared at every step.",
        WIDTH_HINTS,
    ),
    "width_is_another": (
        tuple({"width": form} for form in ("one_more", "four", "twice", "two_of_each")),
        "留下的个数不对：每一步从所有候选中留 beam_width 个。",
        "Another number is kept: of all candidates of a step it should be beam_width.",
        WIDTH_HINTS,
    ),
    "worst_kept": (
        ({"order": "worst"}, {"order": "sorted_by_tokens"}),
        "留下的不是得分最高的：排序的方向或依据不对。",
        "It isn't those with the highest scores that are kept: they are sorted the wrong way, or "
        "by something else.",
        ORDER_HINTS,
    ),
    "equal_scores_turned_round": (
        ({"ties": "turned_round"}, {"ties": "siblings_turned_round"}),
        "得分相同的候选，次序反了：后来的排到了先来的前面。",
        "Candidates with equal scores are in the opposite order: the later ones come first.",
        TIE_HINTS,
    ),
    "one_list_for_all": (
        {"lists": "one"},
        "一个假设的所有候选共用一个列表：往里面加一个词元，大家都变长了。",
        "All candidates of a hypothesis share one list: a token that is put into it makes all of "
        "them longer.",
        LIST_HINTS,
    ),
    "impossible_tokens_said": (
        {"impossible": "kept"},
        "对数概率是负无穷的词元也成了候选；它们说不得。",
        "Tokens with a log-probability of minus infinity become candidates; they can't be said.",
        IMPOSSIBLE_HINTS,
    ),
    "ids_of_the_notebook": (
        ({"ids": "begin_fixed"}, {"ids": "end_fixed"}, {"ids": "both_fixed"}),
        "用的是 notebook 里词表的编号（BEGIN、END，即 2 和 3），不是参数 begin_id 和 end_id。",
        "The ids are those of the notebook's vocabulary (BEGIN and END, 2 and 3), not the "
        "arguments begin_id and end_id.",
        ID_HINTS,
    ),
    "only_the_last_token_counts": (
        ({"total": "last"}, {"ranked_by": "gain"}),
        "只看最后一个词元的对数概率；应当是整句的和。",
        "Only the last token's log-probability counts; it should be the sum over the sentence.",
        SUM_HINTS,
    ),
    "not_a_sum_of_logarithms": (
        (
            {"total": "probabilities"},
            {"total": "product"},
            {"total": "product_from_zero"},
            {"total": "minus"},
            {"total": "mean"},
        ),
        "对数概率没有相加（加成了概率，乘在了一起，取了平均，或变了号）。",
        "The log-probabilities aren't added up (but probabilities are, or they are multiplied, "
        "averaged, or change sign).",
        SUM_HINTS,
    ),
    "penalised_again_and_again": (
        (
            {"total": "score_kept", "ranked_by": "log_p"},
            {"total": "score_kept"},
            {"total": "score_kept", "ended": "rescored"},
            {"total": "penalised"},
            {"returned": "twice_penalised"},
        ),
        "存下来的是得分，下一步又在得分上加对数概率，再除一次；存的应当是没有除过的 log P。",
        "What is stored is the score, and the next step adds a log-probability to that and divides "
        "again; what should be stored is log P itself.",
        KEEP_HINTS,
    ),
    "no_length_penalty": (
        {"penalty": "none"},
        "得分没有除以长度的惩罚：length_penalty 没有用上。",
        "The score isn't divided by the length penalty: length_penalty isn't used.",
        PENALTY_HINTS,
    ),
    "length_of_the_step": (
        ({"penalty": "step"}, {"penalty": "max_length"}),
        "长度用的是第几步（或 max_length），大家都一样，就等于没有惩罚；要用每个假设自己的长度。",
        "The length is the number of the step (or max_length), the same for all, which changes "
        "nothing between them; it should be each hypothesis's own.",
        PENALTY_HINTS,
    ),
    "penalty_only_at_the_end": (
        ({"penalty": "at_the_end_only"}, {"ranked_by": "log_p"}),
        "搜索时按 log P 留，到最后（或返回时）才除以长度；每一步都要按得分留。",
        "While searching they are kept by log P, and lengths only matter in the end; at every step "
        "they should be kept by their score.",
        KEEP_HINTS,
    ),
    "another_length_penalty": (
        tuple(
            {"penalty": form}
            for form in (
                "length",
                "not_over_six",
                "exponent_on_numerator",
                "six_under_length",
                "no_exponent",
                "length_over_six",
                "one_plus",
                "always_length",
                "times_exponent",
            )
        ),
        "长度惩罚的式子不对：约定是 ((5 + n) / 6) 的 length_penalty 次方。",
        "The length penalty is another formula: it should be (5 + n) / 6 to the power of "
        "length_penalty.",
        PENALTY_HINTS,
    ),
    "multiplied_by_the_penalty": (
        {"penalty": "multiplied"},
        "log P 乘了惩罚，应当是除：乘了以后，长的更吃亏。",
        "log P is multiplied by the penalty instead of divided: long ones are off even worse.",
        PENALTY_HINTS,
    ),
    "another_length_counted": (
        ({"penalty": "end_not_counted"}, {"penalty": "begin_counted"}),
        "n 数错了：end_id 算，begin_id 不算。",
        "n is miscounted: it should count end_id and not begin_id.",
        PENALTY_HINTS,
    ),
    "one_too_few_counted": (
        {"penalty": "one_less"},
        "n 少数了一个：begin_id 本来就没有数进去，不用再减。",
        "n is one too small: begin_id isn't among the tokens that are counted, so there is nothing "
        "to take off.",
        PENALTY_HINTS,
    ),
    "exponent_is_fixed": (
        {"exponent": "fixed"},
        "指数写死成了 0.6：参数 length_penalty 没有用上。",
        "The exponent is fixed at 0.6: the argument length_penalty isn't used.",
        PENALTY_HINTS,
    ),
    "ended_ones_dropped": (
        {"ended": "dropped"},
        "说完了的假设被扔掉了。",
        "Hypotheses that have ended are thrown away.",
        END_HINTS,
    ),
    "ended_ones_go_on": (
        ({"ended": "continued"}, {"ended": "charged"}, {"ended": "counted_on"}),
        "说完了的假设还在往下说（接着说别的，或一遍遍说 end_id）。",
        "Hypotheses that have ended speak on (other tokens, or end_id again and again).",
        END_HINTS,
    ),
    "ended_ones_set_aside": (
        {"ended": "set_aside"},
        "说完了的被放到一边，不占位置，也不会被挤掉；这里约定它们和别的一起比、一起占位置。",
        "Those that have ended are set aside, where they take no place and can't lose it; here "
        "they compete for the places like all others.",
        END_HINTS,
    ),
    "stops_too_early": (
        ({"stop": "best"}, {"stop": "any"}),
        "有一个（或最好的一个）结束就停了；约定留下的全部结束才停。",
        "It stops when one (or the best) has ended; it should be when all that are kept have.",
        STOP_HINTS,
    ),
    "one_token_off": (
        ({"limit": "one_more"}, {"limit": "one_less"}),
        "步数差了一个：最多说 max_length 个词元。",
        "Off by one: at most max_length tokens are said.",
        STOP_HINTS,
    ),
    "another_prefix_given": (
        ({"prefix": "last_only"}, {"prefix": "begin_only"}, {"prefix": "without_begin"}),
        "交给 next_log_probs 的前缀不全：应当是 begin_id 和说过的全部。",
        "next_log_probs isn't given the whole prefix: begin_id and all that was said.",
        PREFIX_HINTS,
    ),
    "begin_returned_too": (
        {"returned": "begin_kept"},
        "结果里混进了 begin_id：那不是说出来的。",
        "begin_id is in the result: it wasn't said.",
        FORM_HINTS,
    ),
    "end_changed_in_the_result": (
        ({"returned": "end_cut"}, {"returned": "padded"}),
        "结尾不对：end_id 说了就留着一个，不切掉，也不补齐。",
        "The ends are changed: an end_id that was said stays, once; it is neither cut off nor "
        "filled up.",
        FORM_HINTS,
    ),
    "log_p_returned": (
        ({"returned": "log_p"}, {"returned": "probability"}),
        "返回的不是得分，而是没有除过长度的 log P（或概率）。",
        "It isn't the score that comes back but log P as it is, or a probability.",
        FORM_HINTS,
    ),
    "worst_comes_first": (
        {"returned": "worst_first"},
        "次序反了：最好的应当在最前面。",
        "The order is turned round: the best one should come first.",
        FORM_HINTS,
    ),
    "another_form_returned": (
        (
            {"returned": "best_pair"},
            {"returned": "best_tokens"},
            {"returned": "tokens_only"},
            {"returned": "best_in_a_list"},
            {"returned": "score_first"},
            {"returned": "two_lists"},
            {"returned": "ended_only"},
        ),
        "返回的不是全部假设的列表，每项一对（词元，得分）。",
        "What comes back isn't the list of all hypotheses, as pairs of tokens and score.",
        FORM_HINTS,
    ),
}
