// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/contexts/context_detail.h"

#include "views/style/metrics.h"
#include "views/widgets/contexts_words.h"
#include "views/widgets/value_labels.h"
#include "views/words.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::ContextRow;

namespace {

QString openOr(const ContextRow &row, const QString &value)
{
    return !value.isEmpty() ? value : row.open() ? unknownText() : u"\u2013"_s;
}

// The problem stands above already.
QString watchState(const items::ContextWatch &watch, const QString &problem, Now now)
{
    const bool never = watch.freshness == patroni::Freshness::Stale && !watch.lastContact; // nothing there to be stale
    const QString state = never ? ContextDetail::tr("not connected") : words(watch.freshness);
    if (!watch.error.isEmpty() && watch.error != problem)
        return ContextDetail::tr("%1: %2", "state: error").arg(state, watch.error);
    return watch.lastContact ? ContextDetail::tr("%1, last sign of life %2").arg(state, agoText(watch.lastContact, now)) : state;
}

QString guardText(const ContextRow &row)
{
    if (row.readOnly)
        return ContextDetail::tr("none: read-only, chosen by you");
    return row.isProtected ? ContextDetail::tr("protected: the cluster's name is typed before each")
                           : ContextDetail::tr("after a confirmation");
}

} // namespace

ContextDetail::ContextDetail(QWidget *parent)
    : QFrame(parent)
    , m_name(new ElidedLabel(this))
    , m_state(new StateLabel(this))
    , m_problem(copyable(new QLabel(this)))
    , m_advice(copyable(new QLabel(this)))
    , m_facts(new QWidget(this))
    , m_watches(copyable(new QLabel(this)))
    , m_watchesTitle(new CaptionLabel(tr("watches"), this))
{
    m_name->setFont(strongFont(font()));
    m_name->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_advice->setWordWrap(true);
    m_watches->setWordWrap(true);
    auto *grid1 = new FactGrid(1, this), *grid2 = new FactGrid(1, this);
    m_server = copyable(grid1->add(tr("server")));
    m_user = copyable(grid1->add(tr("user")));
    m_namespaces = copyable(grid1->add(tr("namespaces")));
    m_file = copyable(grid1->add(tr("kubeconfig")));
    m_version = copyable(grid2->add(tr("Kubernetes")));
    m_latency = copyable(grid2->add(tr("latency")));
    m_clock = copyable(grid2->add(tr("clock")));
    m_guard = copyable(grid2->add(tr("writes")));
    auto *facts = new QHBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(3 * grid);
    auto *watches = new QVBoxLayout;
    watches->setSpacing(2);
    watches->addWidget(m_watchesTitle);
    watches->addWidget(m_watches);
    watches->addStretch();
    facts->addWidget(grid1, 0, Qt::AlignTop);
    facts->addWidget(grid2, 0, Qt::AlignTop);
    facts->addLayout(watches, 1);
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * grid);
    head->addWidget(m_name);
    head->addWidget(m_state);
    head->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, grid, 0, grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addWidget(m_problem);
    layout->addWidget(m_advice);
    layout->addWidget(m_facts);
    layout->addStretch(1);
    showCount(0);
}

QString ContextDetail::watchLines(const ContextRow &row, Now now) const
{
    struct Line
    {
        QString ns, state;
        QStringList resources;
    };
    QList<Line> lines; // those of a namespace that are doing alike share one
    for (const items::ContextWatch &watch : row.watches) {
        const QString state = watchState(watch, row.problem, now);
        const auto alike = std::find_if(lines.begin(), lines.end(), [&](const Line &l) { return l.ns == watch.ns && l.state == state; });
        if (alike == lines.end())
            lines.append({watch.ns, state, {watch.resource}});
        else
            alike->resources << watch.resource;
    }
    QStringList all;
    for (const Line &line : lines) {
        const QString what = line.resources.join(u", "_s);
        all << tr("%1: %2", "watch: state")
                   .arg(line.ns.isEmpty() ? tr("%1, all namespaces").arg(what) : tr("%1 in %2").arg(what, line.ns), line.state);
    }
    return all.join(u'\n');
}

void ContextDetail::show(const ContextRow &row, Now now)
{
    put(m_name, row.alias.isEmpty() ? row.name : u"%1 (%2)"_s.arg(row.alias, row.name));
    m_state->setState(toneOf(row.standing), standingText(row, now));
    put(m_problem, row.problem.isEmpty() ? row.notice : row.problem);
    put(m_advice, row.advice);
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_advice->setVisible(!row.advice.isEmpty());
    const bool moved = !row.address.isEmpty() && row.address != row.server;
    put(m_server, moved ? tr("%1 (in use: %2)").arg(row.server, row.address) : openOr(row, row.server));
    put(m_user, row.user.isEmpty() ? u"\u2013"_s : row.user);
    put(m_file, row.file.isEmpty() ? u"\u2013"_s : row.current ? tr("%1 (its current context)").arg(row.file) : row.file);
    put(m_namespaces, row.chosen ? tr("%1 (chosen by hand)").arg(namespacesText(row)) : namespacesText(row));
    put(m_version, openOr(row, row.version));
    put(m_latency, openOr(row, row.latency ? tr("%1 ms").arg(row.latency->count()) : QString()));
    const QString difference = row.skew ? skewSentence(*row.skew) : QString();
    put(m_clock,
        !difference.isEmpty() ? difference : openOr(row, row.skew ? tr("no difference seen (%1)").arg(skewText(*row.skew)) : QString()));
    put(m_guard, guardText(row));
    put(m_watches, watchLines(row, now));
    m_watchesTitle->setVisible(!row.watches.empty());
    m_state->setVisible(true);
    m_facts->setVisible(true);
}

void ContextDetail::showCount(int count)
{
    put(m_name, count == 0 ? tr("Choose a context to see all about it; double-click opens it.") : tr("%1 contexts are chosen.").arg(count));
    for (QWidget *widget : {static_cast<QWidget *>(m_state), static_cast<QWidget *>(m_problem), static_cast<QWidget *>(m_advice), m_facts})
        widget->setVisible(false);
}

} // namespace switchyard::views
