// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/dossiers.h"

#include "app/actions/audit_reader.h"
#include "app/archive/mask_texts.h"
#include "app/clusters/monitor.h"
#include "app/dossier/document.h"
#include "app/export/atomic_file.h"
#include "views/pages/dossier_page.h"
#include "views/words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStatusBar>

#include <algorithm>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;
using views::DossierPage;
using views::text;

namespace {

// Of each object a state from before the transition was seen in this run.
bool reachesBack(const DossierInput &input)
{
    const auto diffs = objectDiffs(input);
    return std::all_of(diffs.begin(), diffs.end(), [](const ObjectDiff &diff) { return diff.seenBefore.has_value(); });
}

void maskSnapshots(patroni::Cluster &cluster)
{
    for (patroni::Snapshot &snapshot : cluster.snapshots) {
        for (auto &[key, value] : snapshot.annotations)
            value = archive::maskSecrets(value);
    }
}

} // namespace

Dossiers::Dossiers(Monitor *monitor, views::MainWindow *window, QString auditPath, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_auditPath(std::move(auditPath))
{
    DossierPage *page = window->dossierPage();
    connect(page, &DossierPage::wanted, this, &Dossiers::show);
    connect(page, &DossierPage::copyRequested, this, &Dossiers::copy);
    connect(page, &DossierPage::saveRequested, this, &Dossiers::save);
}

std::vector<DossierAudit> Dossiers::audit() const
{
    std::vector<DossierAudit> all;
    const auto key = m_window->openedCluster();
    const auto read = actions::readAudit(m_auditPath);
    if (!read || !key)
        return all;
    for (const actions::AuditEntry &e : read->entries) {
        if (e.context == key->context && e.ns == key->ns && e.scope == key->scope)
            all.push_back({e.osUser, e.user, e.asUser, e.context, e.server, e.action, e.summary, e.preflight, e.body, e.result, e.outcome,
                           e.at, e.answeredAt});
    }
    return all;
}

std::optional<Dossier> Dossiers::make(const QString &transition) const
{
    const auto key = m_window->openedCluster();
    const patroni::Cluster *cluster = key ? m_monitor->store().find(*key) : nullptr;
    if (!cluster)
        return std::nullopt;
    Remembered memory = m_remember ? m_remember(*cluster) : Remembered{*cluster, {}, {}};
    const auto index = views::findTransition(memory.cluster, transition);
    if (!index)
        return std::nullopt;
    DossierInput input;
    input.cluster = &memory.cluster;
    input.transition = &memory.cluster.transitions[*index];
    input.events = m_monitor->store().events();
    input.events.insert(input.events.begin(), memory.events.begin(), memory.events.end());
    input.now = m_monitor->now();
    if (!reachesBack(input)) {
        maskSnapshots(memory.cluster); // as the archived ones are: a secret must not look changed
        input.objects = std::move(memory.objects);
    }
    if (!input.transition->request.empty())
        input.audit = audit();
    if (m_notes)
        input.notes = m_notes(*key, input.transition->id);
    return makeDossier(input);
}

void Dossiers::show(const QString &transition)
{
    if (const auto dossier = make(transition))
        m_window->dossierPage()->setText(transition, dossier::htmlBody(dossier::documentOf(*dossier)));
}

void Dossiers::copy(const QString &transition)
{
    const auto dossier = make(transition);
    if (!dossier)
        return;
    QGuiApplication::clipboard()->setText(dossier::markdown(dossier::documentOf(*dossier)));
    m_window->statusBar()->showMessage(tr("The dossier is in the clipboard, as Markdown."), 5000);
}

void Dossiers::save(const QString &transition, const QString &format, const QString &file)
{
    const auto dossier = make(transition);
    if (!dossier)
        return;
    const dossier::Document document = dossier::documentOf(*dossier);
    const QByteArray bytes = format == "json"_L1 ? dossier::json(*dossier)
        : format == "html"_L1                    ? dossier::html(document).toUtf8()
                                                 : dossier::markdown(document).toUtf8();
    const auto written = exports::writeFileAtomically(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (written)
        m_window->statusBar()->showMessage(tr("The dossier is in %1").arg(file), 8000);
    else
        m_window->showMessage(tr("Not exported"), text(written.error().message), text(describe(written.error())));
}

} // namespace switchyard::desktop
