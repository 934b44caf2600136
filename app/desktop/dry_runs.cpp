// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/dry_runs.h"

#include "app/desktop/result_words.h"
#include "views/words.h"

namespace switchyard::desktop {

using actions::DryRunCode;
using Dialog = views::ConfirmWriteDialog;

DryRuns::DryRuns(QString auditPath, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_auditPath(std::move(auditPath))
    , m_clock(std::move(clock))
{}

void DryRuns::setChecks(std::function<bool()> readOnly, actions::ActionWriter::Check check)
{
    m_readOnly = std::move(readOnly);
    m_check = std::move(check);
}

void DryRuns::start(std::vector<QueuedWrite> writes)
{
    m_writes = std::move(writes);
    tryNext();
}

void DryRuns::tryNext()
{
    if (m_results.size() >= m_writes.size()) {
        Q_EMIT finished();
        return;
    }
    const QueuedWrite &write = m_writes[m_results.size()];
    auto *writer = new actions::ActionWriter(write.transport, actions::AuditLog(m_auditPath), m_clock, this);
    writer->setReadOnly(m_readOnly);
    writer->setFreshness(m_check);
    connect(writer, &actions::ActionWriter::dryRunFinished, this, [this, writer](const actions::DryRunResult &result) {
        writer->deleteLater();
        m_results.push_back(result);
        tryNext();
    });
    writer->dryRun(write.planned);
}

namespace {

QString wordsOf(const actions::DryRunResult &result)
{
    const QString error = result.error ? views::text(describe(*result.error)) : QString();
    const QString reason = result.error ? views::text(result.error->message) : QString();
    switch (result.code) {
    case DryRunCode::Accepted: return DryRuns::tr("The API server would accept it: tried with dryRun=All, nothing was stored.");
    case DryRunCode::Refused: return DryRuns::tr("The API server would refuse it: %1").arg(error);
    case DryRunCode::NotPermitted:
        if (result.error && result.error->kind == ErrorKind::Unauthorized)
            return DryRuns::tr("The API server does not accept the account's credential: %1").arg(error);
        return DryRuns::tr("The API server does not permit it: %1").arg(error);
    case DryRunCode::Conflict: return DryRuns::tr("Somebody was faster: the object is not as it was when you looked. Look again.");
    case DryRunCode::NotSupported: break;
    case DryRunCode::NoAnswer: return DryRuns::tr("Not tried beforehand: no answer came.");
    case DryRunCode::NotSent: return DryRuns::tr("Refused here: %1").arg(reason);
    }
    return result.planned.member
        ? DryRuns::tr("No precondition, no dry run: it is sent to %1's own server as it is.").arg(views::text(*result.planned.member))
        : DryRuns::tr("Not tried beforehand: this API server is not known to support dry runs.");
}

bool blocks(DryRunCode code)
{
    return code == DryRunCode::Refused || code == DryRunCode::NotPermitted || code == DryRunCode::Conflict || code == DryRunCode::NotSent;
}

} // namespace

DryRunWords dryRunWords(const std::vector<actions::DryRunResult> &results)
{
    DryRunWords all{Dialog::DryRun::Accepted, {}};
    QStringList lines;
    for (const actions::DryRunResult &result : results) {
        const QString said = wordsOf(result);
        if (blocks(result.code))
            all.state = Dialog::DryRun::Refused;
        else if (result.code != DryRunCode::Accepted && all.state == Dialog::DryRun::Accepted)
            all.state = Dialog::DryRun::NotTried;
        const bool named = results.size() > 1 && (blocks(result.code) || result.code == DryRunCode::NoAnswer);
        const QString line = named ? DryRuns::tr("%1: %2").arg(writeName(result.planned), said) : said;
        if (!lines.contains(line))
            lines << line;
    }
    all.text = lines.join(u'\n');
    return all;
}

} // namespace switchyard::desktop
