// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the account of one context may do, asked of its API server and kept up to date.
//
//   resting ──five minutes, 403, relist, another credential, another scope──► asking (a few at a time) ──► resting
//      └─ what is denied or not known is asked about again sooner, but ever less often while nothing changes
// The rights that are worth asking about are found out once for each wave of questions.
// An answer that does not come makes the right unknown, whatever it was before; the rest of the round is not asked for then.
#include "app/kube/access_review.h"
#include "app/kube/watch.h"
#include "models/rules/permissions.h"

#include <QTimer>

#include <deque>
#include <set>

namespace switchyard {

struct RightsTimes
{
    std::chrono::milliseconds all{std::chrono::minutes(5)};      // everything is asked about anew
    std::chrono::milliseconds doubtful{std::chrono::minutes(1)}; // what is denied or not known; doubled each time, up to `all`
    std::chrono::milliseconds gap{2000};                         // between two rounds that something outside asked for
    int parallel = 3;
};

class Rights : public QObject
{
    Q_OBJECT
public:
    // What is asked with: Client::ask.
    using Ask = std::function<void(const QString &path, const QByteArray &body, QObject *context, kube::Client::Done done)>;
    Rights(Ask ask, kube::Clock clock, RightsTimes times = {}, QObject *parent = nullptr);
    ~Rights() override;

    // New questions are asked at once; answers that are not needed any more are dropped.
    void setScope(const rules::RightsScope &scope);
    const rules::RightsScope &scope() const { return m_scope; }
    void refresh();                   // everything anew: F5, another credential
    void refused(const Error &error); // a request was answered 403: what was thought to be known may be wrong
    void reached();                   // the API server answers (again): what is not known for want of an answer is asked about

    const rules::Answers &answers() const { return m_answers; }
    const rules::Account &account() const { return m_account; }
    bool asking() const { return m_running; }

Q_SIGNALS:
    void changed();     // a round is over: answers, if only their time, the account or the scope
    void readAllowed(); // a list that was denied is allowed now: list anew

private:
    enum class Round { Missing, Doubtful, All }; // what is asked about: no answer yet, not allowed, everything

    void begin(Round round);
    void soon(Round round);
    bool wantedInRound(const rules::Right &right) const;
    void enqueue();
    void pump();
    void askOne(const rules::Right &right);
    void askName();
    void answered(const rules::Right &right, const kube::AccessAnswer &answer);
    void store(const rules::Right &right, const rules::Answer &answer);
    void giveUp(const std::string &why);
    void landed();
    void finish();
    void prune();

    Ask m_ask;
    kube::Clock m_clock;
    RightsTimes m_times;
    rules::RightsScope m_scope;
    rules::Answers m_answers;
    rules::Account m_account;
    std::deque<rules::Right> m_queue;
    std::set<rules::Right> m_taken; // asked about, or about to be, in this round
    Round m_round = Round::Missing;
    std::optional<Round> m_next; // to be done as soon as the gap is over
    int m_flying = 0;
    bool m_running = false, m_nameWanted = true;
    bool m_readAllowed = false, m_unanswered = false;
    bool m_news = false, m_gaveUp = false; // in this round
    std::chrono::milliseconds m_patience;  // until the doubtful ones are asked about again
    QTimer m_all, m_doubtful, m_soon;
    std::optional<Boot> m_begun; // the last round
};

} // namespace switchyard
