// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"

#include "app/dossier/dossier_words.h"
#include "views/doubt_text.h"
#include "views/words.h"

#include <algorithm>

namespace switchyard::dossier {

using namespace Qt::StringLiterals;
using patroni::Transition;
using views::doubtText;
using views::durationText;
using views::text;
using views::unknownText;

namespace {

QString optionalTime(const std::optional<Instant> &t)
{
    return t ? timeOf(*t) : unknownText();
}

QString withSource(const QString &value, patroni::Source source)
{
    const QString from = sourceWords(source);
    return from.isEmpty() ? value : Words::tr("%1 (%2)", "value, where it is from").arg(value, from);
}

QString gapText(const Transition &t)
{
    if (!t.gap)
        return unknownText();
    return t.gapUncertainty ? Words::tr("%1, give or take %2").arg(durationText(*t.gap), doubtText(*t.gapUncertainty))
                            : durationText(*t.gap);
}

QString whenText(const Transition &t)
{
    if (t.gainedAt)
        return timeOf(*t.gainedAt);
    if (t.notBefore && t.notAfter)
        return Words::tr("between %1 and %2").arg(timeOf(*t.notBefore), timeOf(*t.notAfter));
    return t.lostAt ? timeOf(*t.lostAt) : Words::tr("a time that is not recorded");
}

// From when the gap counts: of a lock that ran out, the last renewal.
QString lossText(const Transition &t)
{
    const auto span = inferredLoss(t);
    const QString when = span ? Words::tr("between %1 and %2").arg(timeOf(span->from), timeOfEnd(span->to)) : optionalTime(t.lostAt);
    return withSource(when, isLossInferred(t) ? patroni::Source::Inferred : t.lostSource);
}

QString gapSentence(const Transition &t)
{
    if (!t.gap)
        return Words::tr("how long nobody led is not known");
    return ranOut(t) ? Words::tr("the lock had not been renewed for %1").arg(gapText(t)) : Words::tr("nobody led for %1").arg(gapText(t));
}

QString timeOfMoment(const DossierMoment &moment)
{
    if (moment.clock == WhoseClock::Inferred)
        return Words::tr("about %1").arg(timeOf(moment.at));
    return moment.notBefore ? Words::tr("%1 or earlier, after %2").arg(timeOf(moment.at), timeOf(*moment.notBefore)) : timeOf(moment.at);
}

QString leadSentence(const Transition &t)
{
    const QString gap = gapSentence(t);
    if (t.from == t.to && t.to)
        return Words::tr("%1 took its lock again at %2; %3.").arg(memberName(t.to), whenText(t), gap);
    if (t.kind == patroni::TransitionKind::Bootstrap)
        return Words::tr("%1 became the first leader at %2.").arg(memberName(t.to), whenText(t));
    return Words::tr("%1 took the lead from %2 at %3; %4.").arg(memberName(t.to), memberName(t.from), whenText(t), gap);
}

QString since(const std::optional<Instant> &at, const Transition &t)
{
    const auto start = t.gainedAt ? t.gainedAt : t.lostAt;
    if (!at)
        return Words::tr("not seen");
    return start && *at >= *start ? Words::tr("%1, %2 after it", "time, how long after").arg(timeOf(*at), durationText(*at - *start))
                                  : timeOf(*at);
}

QString namesOf(const std::vector<std::string> &names)
{
    QStringList all;
    for (const std::string &name : names)
        all << text(name);
    return all.isEmpty() ? Words::tr("none seen") : all.join(u", "_s);
}

class Builder
{
public:
    explicit Builder(const Dossier &dossier)
        : m_d(dossier)
        , m_t(dossier.transition)
    {
        const patroni::ClusterKey &key = m_d.names.key;
        m_document.title = Words::tr("Change of leadership in %1: %2 \u2192 %3")
                               .arg(text(key.text()), memberName(m_t.from), memberName(m_t.to));
        m_document.sentence = leadSentence(m_t);
        addCause();
        addFacts();
        addSequence();
        addRequest();
        addObjects();
        addNotes();
        paragraph(
            Words::tr("Made by Switchyard at %1. All times are UTC. Times of different clocks stand in one order, which is only as good as "
                      "these clocks agree. Secrets of the configuration are not shown.")
                .arg(timeOf(m_d.madeAt)),
            true);
    }
    Document take() { return std::move(m_document); }

private:
    void heading(const QString &words) { m_document.blocks.emplace_back(Heading{words}); }
    void paragraph(const QString &words, bool quiet = false) { m_document.blocks.emplace_back(Paragraph{words, quiet}); }
    void grid(QStringList columns, QList<QStringList> rows) { m_document.blocks.emplace_back(Grid{std::move(columns), std::move(rows)}); }

    void addCause()
    {
        heading(Words::tr("Likely cause"));
        paragraph(causeSentence(m_d.cause, m_t));
        paragraph(certaintySentence(m_d.cause), true);
        if (m_d.cause.evidence.empty())
            return paragraph(Words::tr("No evidence was seen. That is not to say that there was none."), true);
        std::vector<patroni::Evidence> inTime = m_d.cause.evidence; // what has no time last
        std::stable_sort(inTime.begin(), inTime.end(), [](const patroni::Evidence &a, const patroni::Evidence &b) {
            const auto first = happenedAt(a), second = happenedAt(b);
            return first && (!second || *first < *second);
        });
        QList<QStringList> rows;
        for (const patroni::Evidence &evidence : inTime) {
            const auto at = happenedAt(evidence);
            rows << QStringList{cameAfter(evidence, m_t) ? Words::tr("Afterwards: %1").arg(evidenceSentence(evidence))
                                                         : evidenceSentence(evidence),
                                at ? timeOf(*at) : u"\u2013"_s};
        }
        grid({Words::tr("Evidence"), Words::tr("Time")}, rows);
    }

    void addFacts()
    {
        heading(Words::tr("The transition"));
        const patroni::ClusterKey &key = m_d.names.key;
        const auto timeline = [](const std::optional<std::int64_t> &n) { return n ? QString::number(*n) : unknownText(); };
        QList<QStringList> rows{
            {Words::tr("Cluster"), text(key.text())},
            {Words::tr("Context"), text(key.context)},
            {Words::tr("System identifier"), m_d.systemId ? text(*m_d.systemId) : unknownText()},
            {Words::tr("Kind"), withSource(views::words(m_t.kind), m_t.kindSource)},
            {Words::tr("Old leader"), withSource(memberName(m_t.from), m_t.fromSource)},
            {Words::tr("New leader"), withSource(memberName(m_t.to), m_t.toSource)},
            {Words::tr("Timelines"),
             withSource(Words::tr("%1 ended, %2 began").arg(timeline(m_t.timelineBefore), timeline(m_t.timeline)), m_t.timelineSource)},
            {Words::tr("Ended at LSN"), withSource(m_t.lsn ? text(formatLsn(*m_t.lsn)) : unknownText(), m_t.lsnSource)},
            {ranOut(m_t) ? Words::tr("Last renewal of the old leader") : Words::tr("Lock lost"), lossText(m_t)}};
        if (const auto expired = expiryOf(m_d))
            rows << QStringList{Words::tr("Lock expired"), timeOf(*expired)};
        rows << QList<QStringList>{{Words::tr("Lock gained"), withSource(optionalTime(m_t.gainedAt), m_t.gainedSource)},
                                   {ranOut(m_t) ? Words::tr("No renewal for") : Words::tr("Nobody led for"), gapText(m_t)},
                                   {Words::tr("Writable"), since(m_t.writableAt, m_t)},
                                   {Words::tr("All replicas stream"), since(m_t.streamingAt, m_t)},
                                   {Words::tr("Left on the old timeline"), namesOf(m_t.leftBehind)}};
        if (m_t.notBefore && m_t.notAfter)
            rows << QStringList{Words::tr("Not watched"),
                                Words::tr("it happened between %1 and %2").arg(timeOf(*m_t.notBefore), timeOf(*m_t.notAfter))};
        if (m_t.erased)
            rows << QStringList{Words::tr("Schedule that it erased"), erasedText(*m_t.erased)};
        if (!m_t.id.empty())
            rows << QStringList{Words::tr("Id"), text(m_t.id)};
        grid({}, rows);
    }

    static QString erasedText(const patroni::FailoverRequest &request)
    {
        const QString at = request.scheduledAt ? timeOf(*request.scheduledAt) : text(request.scheduledAtRaw.value_or(""));
        return at.isEmpty() ? views::requestWish(request) : Words::tr("%1, for %2").arg(views::requestWish(request), at);
    }

    void addSequence()
    {
        heading(Words::tr("What happened in which order"));
        if (m_d.sequence.empty())
            return paragraph(Words::tr("Nothing with a time was seen of it."));
        QList<QStringList> rows;
        for (const DossierMoment &moment : m_d.sequence)
            rows << QStringList{timeOfMoment(moment), clockWords(moment), momentSentence(moment, m_t)};
        grid({Words::tr("Time"), Words::tr("Clock"), Words::tr("What")}, rows);
    }

    void addRequest()
    {
        heading(Words::tr("Who asked for it"));
        if (m_d.request) {
            const patroni::RequestReport &r = *m_d.request;
            QList<QStringList> rows{{Words::tr("Request"), views::requestWish(r.request)},
                                    {Words::tr("What became of it"), views::words(r.outcome)}};
            if (r.request.scheduledAt)
                rows << QStringList{Words::tr("Scheduled for"), timeOf(*r.request.scheduledAt)};
            if (!r.certain)
                rows << QStringList{Words::tr("Certain"), Words::tr("no: our view had a gap")};
            grid({}, rows);
        } else {
            paragraph(Words::tr("No request that led to it was seen."));
        }
        if (m_d.audit)
            return addAudit(*m_d.audit);
        if (m_d.request)
            paragraph(Words::tr("It was not written from here, as far as the audit trail tells: who wrote it is not known."), true);
    }

    void addAudit(const DossierAudit &a)
    {
        const QString as = a.asUser.empty() ? text(a.kubeUser) : Words::tr("%1 as %2").arg(text(a.kubeUser), text(a.asUser));
        QList<QStringList> rows{
            {Words::tr("Written by"), text(a.osUser)},
            {Words::tr("Account"), as.isEmpty() ? unknownText() : as},
            {Words::tr("At"), optionalTime(a.at)},
            {Words::tr("Asked"), text(a.summary)},
            {Words::tr("Preflight"), a.preflight.empty() ? Words::tr("none noted") : text(a.preflight)},
            {Words::tr("Answer"), a.result.empty() ? Words::tr("none noted: the outcome of the write is not known") : text(a.result)}};
        grid({}, rows);
        if (!a.body.empty())
            m_document.blocks.emplace_back(Quote{text(a.body)});
    }

    void addObjects()
    {
        heading(Words::tr("The four objects before and after"));
        for (const ObjectDiff &diff : m_d.objects)
            addObject(diff);
    }

    void addObject(const ObjectDiff &diff)
    {
        const auto version = [](const std::optional<Instant> &seen, const std::string &v) {
            return seen ? Words::tr("version %1 of %2").arg(v.empty() ? unknownText() : text(v), timeOf(*seen)) : Words::tr("not seen");
        };
        paragraph(Words::tr("%1: before %2; after %3")
                      .arg(text(diff.object), version(diff.seenBefore, diff.versionBefore), version(diff.seenAfter, diff.versionAfter)),
                  true);
        if (!diff.seenAfter && !diff.seenBefore)
            return;
        if (diff.changes.empty())
            return paragraph(diff.bothSeen() ? Words::tr("Nothing but renewals changed.") : Words::tr("What changed is not known."));
        QList<QStringList> rows;
        const auto side = [&](const std::optional<std::string> &value, bool seen) {
            return !seen ? unknownText() : value ? text(*value) : u"\u2013"_s;
        };
        for (const FieldChange &change : diff.changes) {
            QStringList row{text(change.field), side(change.before, diff.seenBefore.has_value()), side(change.after, true)};
            if (change.hidden)
                row[2] = Words::tr("*** (a secret, changed)");
            rows << row;
        }
        grid({Words::tr("Field"), Words::tr("Before"), Words::tr("After")}, rows);
    }

    void addNotes()
    {
        heading(Words::tr("Notes"));
        if (m_d.notes.empty())
            return paragraph(Words::tr("None."));
        for (const DossierNote &note : m_d.notes) {
            paragraph(
                Words::tr("%1, %2", "author, time").arg(note.author.empty() ? unknownText() : text(note.author), optionalTime(note.at)),
                true);
            m_document.blocks.emplace_back(Quote{text(note.text)});
        }
    }

    const Dossier &m_d;
    const Transition &m_t;
    Document m_document;
};

} // namespace

Document documentOf(const Dossier &dossier)
{
    return Builder(dossier).take();
}

} // namespace switchyard::dossier
