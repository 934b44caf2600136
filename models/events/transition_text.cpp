// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/transition_text.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

namespace {

// Anything but bare words in quotes, so that the text can be taken apart again.
void add(std::string &text, std::string_view key, const std::string &value)
{
    if (value.empty())
        return;
    text += (text.empty() ? "" : " ") + std::string(key) + '=';
    if (value.find_first_of(" \t\n\"=\\;") == std::string::npos) {
        text += value;
        return;
    }
    text += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c == '\n' || c == '\t' ? ' ' : c;
    }
    text += '"';
}

} // namespace

std::string sourcesText(const Transition &t)
{
    const std::pair<std::string_view, Source> cells[] = {{"kind", t.kindSource},         {"from", t.fromSource}, {"to", t.toSource},
                                                         {"timeline", t.timelineSource}, {"lsn", t.lsnSource},   {"lost", t.lostSource},
                                                         {"gained", t.gainedSource}};
    std::string text;
    for (const auto &[cell, source] : cells) {
        if (source != Source::None)
            text += (text.empty() ? "" : ";") + std::string(cell) + '=' + std::string(code(source));
    }
    if (t.gap && t.lostSource != Source::None) // as good as the worse of its ends
        text += std::string(text.empty() ? "" : ";") + "gap=" + std::string(code(std::max(t.lostSource, t.gainedSource)));
    return text;
}

std::string evidenceText(const Transition &t)
{
    std::string all;
    for (const Evidence &e : t.evidence) {
        std::string one(code(e.code));
        add(one, "subject", e.subject);
        add(one, "detail", e.detail);
        if (e.at)
            add(one, "at", formatUtc(*e.at));
        all += (all.empty() ? "" : "; ") + one;
    }
    return all;
}

std::string erasedText(const Transition &t)
{
    std::string text;
    if (!t.erased)
        return text;
    add(text, "leader", t.erased->leader.value_or(""));
    add(text, "member", t.erased->member.value_or(""));
    add(text, "scheduled_at", t.erased->scheduledAtRaw.value_or(""));
    return text;
}

} // namespace switchyard
