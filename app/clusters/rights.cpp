// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/rights.h"

#include <algorithm>

namespace switchyard {

using rules::Answer;
using rules::Right;

Rights::Rights(Ask ask, kube::Clock clock, RightsTimes times, QObject *parent)
    : QObject(parent)
    , m_ask(std::move(ask))
    , m_clock(std::move(clock))
    , m_times(times)
    , m_patience(times.doubtful)
{
    m_soon.setSingleShot(true);
    m_doubtful.setSingleShot(true);
    connect(&m_all, &QTimer::timeout, this, [this] { begin(Round::All); });
    connect(&m_doubtful, &QTimer::timeout, this, [this] { begin(Round::Doubtful); });
    connect(&m_soon, &QTimer::timeout, this, [this] {
        if (const auto round = std::exchange(m_next, std::nullopt))
            begin(*round);
    });
    m_all.start(m_times.all);
}

Rights::~Rights() = default;

void Rights::setScope(const rules::RightsScope &scope)
{
    if (scope == m_scope)
        return;
    m_scope = scope;
    if (!m_running)
        return begin(Round::Missing);
    enqueue();
    pump();
}

void Rights::refresh()
{
    m_nameWanted = true;
    m_patience = m_times.doubtful;
    m_all.start(m_times.all);
    soon(Round::All);
}

// What is known to be denied needs no new question each time that a watch tries in vain.
void Rights::refused(const Error &error)
{
    const bool known = std::any_of(m_answers.begin(), m_answers.end(), [&](const auto &entry) {
        const Right &right = entry.first;
        // Who may not patch any object may be allowed to patch this one.
        const bool named = right.name == error.name
            || (right.name.empty() && right.use != rules::RightUse::ChangeRequest && right.use != rules::RightUse::ChangeConfig);
        return entry.second.kind == Answer::Kind::Denied && right.verb == error.verb && right.resource == error.resource
            && right.ns == error.ns && named;
    });
    if (!known)
        soon(Round::All);
}

void Rights::reached()
{
    if (m_unanswered)
        soon(Round::Doubtful);
}

void Rights::soon(Round round)
{
    m_next = std::max(round, m_next.value_or(round));
    if (m_running || m_soon.isActive())
        return;
    const auto since = m_begun ? m_clock.now().boot - *m_begun : Duration(m_times.gap);
    m_soon.start(std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(m_times.gap - since)));
}

void Rights::begin(Round round)
{
    if (m_running) {
        m_next = std::max(round, m_next.value_or(round));
        return;
    }
    m_running = true;
    m_round = round;
    m_begun = m_clock.now().boot;
    m_taken.clear();
    m_unanswered = m_news = m_gaveUp = false;
    m_doubtful.stop();
    if (std::exchange(m_nameWanted, false))
        askName();
    enqueue();
    pump();
    if (m_flying == 0)
        finish();
}

bool Rights::wantedInRound(const Right &right) const
{
    const auto known = m_answers.find(right);
    return known == m_answers.end() || m_round == Round::All || (m_round == Round::Doubtful && known->second.kind != Answer::Kind::Allowed);
}

void Rights::enqueue()
{
    for (const Right &right : rules::wantedRights(m_scope, m_answers)) {
        if (wantedInRound(right) && m_taken.insert(right).second)
            m_queue.push_back(right);
    }
}

void Rights::pump()
{
    while (m_flying < m_times.parallel && !m_queue.empty()) {
        const Right right = m_queue.front();
        m_queue.pop_front();
        askOne(right);
    }
}

void Rights::askOne(const Right &right)
{
    ++m_flying;
    m_ask(kube::accessReviewPath(), kube::accessReviewBody({right.verb, right.group, right.resource, right.ns, right.name}), this,
          [this, right](const kube::Response &response) {
              answered(right, kube::readAccessReview(response));
              landed();
          });
}

void Rights::askName()
{
    ++m_flying;
    m_ask(kube::selfReviewPath(), kube::selfReviewBody(), this, [this](const kube::Response &response) {
        m_nameWanted = !response.ok() && response.status == 0; // a server that was not reached may still tell
        m_account.user = kube::readSelfReview(response).toStdString();
        landed();
    });
}

void Rights::answered(const Right &right, const kube::AccessAnswer &answer)
{
    if (answer.error) {
        store(right, {Answer::Kind::Unknown, answer.reason, m_clock.now().boot});
        giveUp(answer.reason);
        m_unanswered = m_unanswered || (answer.error->httpStatus != 403 && answer.error->httpStatus != 404);
        return;
    }
    const auto kind = !answer.allowed ? Answer::Kind::Unknown : *answer.allowed ? Answer::Kind::Allowed : Answer::Kind::Denied;
    store(right, {kind, answer.reason, m_clock.now().boot});
}

void Rights::store(const Right &right, const Answer &answer)
{
    Answer &known = m_answers[right];
    m_news = m_news || known.at == Boot{} || known.kind != answer.kind;
    using rules::RightUse;
    const bool election = right.use == RightUse::ReadLeases || right.use == RightUse::ReadNodes;
    const bool read = right.use == RightUse::List || right.use == RightUse::Watch || (election && right.verb != "get");
    m_readAllowed = m_readAllowed || (read && known.kind == Answer::Kind::Denied && answer.kind == Answer::Kind::Allowed);
    known = answer;
}

// The next question would meet the same silence. What was known before is not known any more.
void Rights::giveUp(const std::string &why)
{
    m_gaveUp = true;
    while (!m_queue.empty()) {
        store(m_queue.front(), {Answer::Kind::Unknown, why, m_clock.now().boot});
        m_queue.pop_front();
    }
}

void Rights::landed()
{
    --m_flying;
    if (m_flying == 0 && m_queue.empty() && !m_gaveUp)
        enqueue(); // what the answers of this wave make worth asking about
    pump();
    if (m_flying == 0)
        finish();
}

void Rights::finish()
{
    m_running = false;
    prune();
    const bool doubts = std::any_of(m_answers.begin(), m_answers.end(),
                                    [](const auto &entry) { return entry.second.kind != Answer::Kind::Allowed; });
    if (m_news)
        m_patience = m_times.doubtful;
    else if (m_round == Round::Doubtful)
        m_patience = std::min(m_patience * 2, std::max(m_times.all, m_times.doubtful));
    if (doubts)
        m_doubtful.start(m_patience);
    if (m_next)
        soon(*m_next);
    const bool allowed = std::exchange(m_readAllowed, false);
    Q_EMIT changed();
    if (allowed)
        Q_EMIT readAllowed();
}

void Rights::prune()
{
    const std::vector<Right> wanted = rules::wantedRights(m_scope, m_answers);
    const std::set<Right> keep(wanted.begin(), wanted.end());
    std::erase_if(m_answers, [&](const auto &entry) { return !keep.contains(entry.first); });
}

} // namespace switchyard
