// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The audit trail: from its file to the window, and into other files.
#include "app/actions/audit_reader.h"
#include "app/desktop/desktop.h"
#include "views/pages/audit_page.h"
#include "views/words.h"

#include <QFileInfo>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;

namespace {

using views::text;

items::AuditRow rowOf(const actions::AuditEntry &entry)
{
    items::AuditRow row;
    row.id = text(entry.id);
    row.at = entry.at;
    row.answeredAt = entry.answeredAt;
    row.osUser = text(entry.osUser);
    row.kubeUser = text(entry.user);
    row.asUser = text(entry.asUser);
    row.server = text(entry.server);
    row.cluster = {entry.context, entry.ns, entry.scope, entry.group, entry.scope};
    if (entry.group)
        row.cluster.base += '-' + std::to_string(*entry.group);
    row.action = text(entry.action);
    row.request = text(entry.summary);
    row.verb = text(entry.verb);
    row.object = u"%1 %2"_s.arg(text(entry.resource), text(entry.name));
    row.path = entry.path.empty() ? QString() : u"%1 %2"_s.arg(row.object, text(entry.path));
    row.body = text(entry.body);
    row.preflight = text(entry.preflight);
    row.dryRun = text(entry.dryRun);
    row.member = text(entry.member);
    row.versionBefore = text(entry.versionBefore.value_or(""));
    row.versionAfter = text(entry.versionAfter.value_or(""));
    row.result = text(entry.result);
    row.detail = text(entry.detail);
    row.httpStatus = entry.httpStatus;
    row.outcome = text(entry.outcome);
    row.outcomeAt = entry.outcomeAt;
    row.outcomeDetail = text(entry.outcomeDetail);
    return row;
}

headless::Cell cell(const QString &value)
{
    return value.isEmpty() ? headless::Cell() : headless::Cell(value.toStdString());
}

headless::Cell cell(const std::optional<Instant> &value)
{
    return value ? headless::Cell(*value) : headless::Cell();
}

headless::Row cells(const items::AuditRow &row)
{
    const headless::Cell status = row.httpStatus != 0 ? headless::Cell(std::int64_t(row.httpStatus)) : headless::Cell();
    return {cell(row.at),
            cell(row.id),
            cell(row.osUser),
            cell(row.kubeUser),
            cell(row.asUser),
            cell(row.server),
            cell(text(row.cluster.context)),
            cell(text(row.cluster.ns)),
            cell(text(row.cluster.scope)),
            cell(row.member),
            cell(row.action),
            cell(row.request),
            cell(row.verb),
            cell(row.object),
            cell(row.versionBefore),
            cell(row.versionAfter),
            cell(row.result),
            status,
            cell(row.answeredAt),
            cell(row.detail),
            cell(row.outcome),
            cell(row.outcomeAt),
            cell(row.outcomeDetail),
            cell(row.preflight),
            cell(row.body)};
}

} // namespace

void Desktop::wireAudit()
{
    views::AuditPage *page = m_window->auditPage();
    connect(page, &views::AuditPage::refreshRequested, this, &Desktop::showAudit);
    connect(m_window.get(), &views::MainWindow::pageShown, this, [this](views::Page shown) {
        if (shown == views::Page::Audit)
            showAudit();
    });
}

void Desktop::showAudit()
{
    const QFileInfo file(auditPath());
    m_auditRead = {file.exists() ? file.size() : -1, file.lastModified()};
    const auto read = actions::readAudit(auditPath());
    if (!read)
        return m_window->auditPage()->setRows({}, auditPath(), text(describe(read.error())));
    std::vector<items::AuditRow> rows;
    for (const actions::AuditEntry &entry : read->entries)
        rows.push_back(rowOf(entry));
    QStringList problems;
    if (read->unreadable > 0)
        problems << tr("%n line(s) of %1 cannot be read and are left out.", nullptr, read->unreadable).arg(auditPath());
    if (read->more)
        problems << tr("Older writes are in %1; the newest %2 are shown.").arg(auditPath()).arg(rows.size());
    m_window->auditPage()->setRows(std::move(rows), auditPath(), problems.join(u' '));
}

// This window writes to it, and so do others.
void Desktop::followAudit()
{
    if (m_window->currentPage() != views::Page::Audit)
        return;
    const QFileInfo file(auditPath());
    if (m_auditRead != std::pair(file.exists() ? file.size() : qint64(-1), file.lastModified()))
        showAudit();
}

// The page's rows, newest first; or all that the file holds, of which the page keeps but the newest.
Result<headless::KeyedTable> Desktop::auditTable(bool wholeFile) const
{
    using headless::CellType;
    headless::KeyedTable all;
    for (const char *name :
         {"time",        "id",     "os_user", "user",       "as_user",        "server",         "context",       "namespace", "scope",
          "member",      "action", "request", "verb",       "object",         "version_before", "version_after", "result",    "http_status",
          "answered_at", "detail", "outcome", "outcome_at", "outcome_detail", "preflight",      "body"})
        all.table.columns.push_back({name, CellType::Text});
    for (const int time : {0, 18, 21})
        all.table.columns[std::size_t(time)].type = CellType::Time;
    all.table.columns[17].type = CellType::Integer;
    const auto add = [&all](const items::AuditRow &row) { all.add(items::auditKey(row), cells(row)); };
    if (!wholeFile) {
        for (const items::AuditRow &row : m_window->auditPage()->rows())
            add(row);
        return all;
    }
    constexpr std::size_t noLimit = 1'000'000'000;
    const auto read = actions::readAudit(auditPath(), noLimit);
    if (!read)
        return tl::unexpected(read.error());
    for (const actions::AuditEntry &entry : read->entries)
        add(rowOf(entry));
    return all;
}

} // namespace switchyard::desktop
