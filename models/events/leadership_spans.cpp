// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/leadership_spans.h"

#include <algorithm>

namespace switchyard {

namespace {

LaneSpan part(const LaneSpan &span, Instant from, Instant to)
{
    LaneSpan piece = span;
    piece.from = from;
    piece.to = to;
    piece.openStart = span.openStart && from == span.from;
    piece.current = span.current && to == span.to;
    return piece;
}

// The parts of one span inside and outside of areas; `first`: where to begin to look, moved along.
template<class Inside, class Outside>
void cut(const LaneSpan &span, const std::vector<TimeSpan> &areas, std::size_t &first, Inside inside, Outside outside)
{
    while (first < areas.size() && areas[first].to <= span.from)
        ++first;
    Instant at = span.from;
    for (std::size_t i = first; i < areas.size() && areas[i].from < span.to; ++i) {
        const Instant from = std::max(at, areas[i].from), to = std::min(span.to, areas[i].to);
        if (at < from)
            outside(part(span, at, from));
        if (from < to)
            inside(part(span, from, to));
        at = std::max(at, to);
    }
    if (at < span.to)
        outside(part(span, at, span.to));
}

const auto nothing = [](const LaneSpan &) {};

} // namespace

void append(Spans &spans, LaneSpan span)
{
    if (span.to <= span.from)
        return;
    if (!spans.empty()) {
        LaneSpan &last = spans.back();
        const bool same = last.state == span.state && last.recorded == span.recorded && last.timeline == span.timeline;
        if (same && last.to == span.from) {
            last.to = span.to;
            last.current = span.current;
            return;
        }
    }
    spans.push_back(std::move(span));
}

Spans without(const Spans &spans, const std::vector<TimeSpan> &areas)
{
    Spans result;
    std::size_t first = 0;
    for (const LaneSpan &span : spans)
        cut(span, areas, first, nothing, [&](LaneSpan piece) { append(result, std::move(piece)); });
    return result;
}

Spans within(const Spans &spans, const std::vector<TimeSpan> &areas)
{
    Spans result;
    std::size_t first = 0;
    for (const LaneSpan &span : spans)
        cut(
            span, areas, first, [&](LaneSpan piece) { append(result, std::move(piece)); }, nothing);
    return result;
}

Spans overlaid(const Spans &base, const Spans &top)
{
    std::vector<TimeSpan> covered;
    covered.reserve(top.size());
    for (const LaneSpan &span : top)
        covered.push_back({span.from, span.to, false});
    const Spans below = without(base, covered);
    Spans merged;
    merged.reserve(below.size() + top.size());
    std::merge(below.begin(), below.end(), top.begin(), top.end(), std::back_inserter(merged),
               [](const LaneSpan &a, const LaneSpan &b) { return a.from < b.from; });
    Spans result;
    result.reserve(merged.size());
    for (LaneSpan &span : merged)
        append(result, std::move(span));
    return result;
}

namespace {

// Between two changes: as the first left it, as the second found it; across a blind spot neither speaks for the other's side.
class Between
{
public:
    Between(const std::vector<TimeSpan> &blind, Spans &result)
        : m_blind(blind)
        , m_result(result)
    {}

    void add(Instant from, Instant to, std::optional<LaneState> after, std::optional<LaneState> before, bool current)
    {
        if (to <= from)
            return;
        while (m_next < m_blind.size() && m_blind[m_next].to <= from)
            ++m_next;
        std::size_t last = m_next;
        while (last < m_blind.size() && m_blind[last].from < to)
            ++last;
        if (last == m_next)
            return piece(from, to, after == before ? after : std::optional(LaneState::Unknown), current);
        piece(from, m_blind[m_next].from, after, false);
        for (std::size_t i = m_next; i + 1 < last; ++i)
            piece(m_blind[i].to, m_blind[i + 1].from, after == before ? after : std::optional(LaneState::Unknown), false);
        piece(m_blind[last - 1].to, to, before, current);
    }

private:
    void piece(Instant from, Instant to, std::optional<LaneState> state, bool current)
    {
        if (state && from < to)
            append(m_result, {.state = *state, .from = from, .to = to, .current = current});
    }

    const std::vector<TimeSpan> &m_blind;
    Spans &m_result;
    std::size_t m_next = 0;
};

} // namespace

Spans told(const std::vector<Step> &steps, std::optional<LaneState> now, const TimeSpan &known, const std::vector<TimeSpan> &blind)
{
    Spans result;
    Between between(blind, result);
    Instant at = known.from;
    // What was before the first look says nothing of it: between them nobody looked.
    auto step = std::partition_point(steps.begin(), steps.end(), [&](const Step &s) { return s.at < known.from; });
    std::optional<LaneState> after = step == steps.end() ? now : step->before;
    for (; step != steps.end(); ++step) {
        between.add(at, std::min(step->at, known.to), after, step->before, false);
        at = step->at;
        after = step->after;
    }
    between.add(at, known.to, after, now, known.current);
    return result;
}

} // namespace switchyard
