// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/fleet/health_pane.h"

#include "views/charts/health_strips.h"
#include "views/charts/picture_panel.h"
#include "views/style/metrics.h"
#include "views/widgets/facts_table.h"
#include "views/words.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

QList<FactColumn> columns()
{
    return {{HealthPane::tr("Cluster"), FactKind::Word, true},
            {HealthPane::tr("Health"), FactKind::Word, false},
            {HealthPane::tr("From, %1").arg(zoneText()), FactKind::Time, false},
            {HealthPane::tr("To"), FactKind::End, false},
            {HealthPane::tr("Lasted"), FactKind::Length, false},
            {HealthPane::tr("First reason"), FactKind::Word, true}};
}

QVariant number(Duration d)
{
    return QVariant::fromValue<qlonglong>(d.count());
}

QList<items::FactRow> rowsOf(const std::vector<HealthStrip> &strips)
{
    QList<items::FactRow> rows;
    for (const HealthStrip &strip : strips)
        for (const HealthSpan &span : strip.spans)
            rows.append({{strip.name, words(span.health), number(span.from.time_since_epoch()),
                          span.current ? QVariant() : number(span.to.time_since_epoch()), number(span.to - span.from),
                          span.reason ? words(*span.reason) : QString()},
                         text(std::string(code(span.health)))});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const items::FactRow &a, const items::FactRow &b) { return a.cells[2].toLongLong() > b.cells[2].toLongLong(); });
    return rows;
}

} // namespace

HealthPane::HealthPane(QWidget *parent)
    : QWidget(parent)
    , m_strips(new HealthStrips(this))
    , m_panel(new PicturePanel(
          m_strips, tr("Health of the fleet"),
          tr("low: healthy \u00b7 higher: degraded \u00b7 full: unhealthy \u00b7 hatched: unknown \u00b7 nothing: not watched"), this))
    , m_table(new FactsTable(tr("Health of the clusters over time"), columns(), tr("Nothing has been seen yet."), this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto *row = new QHBoxLayout;
    row->addWidget(m_panel, 1);
    auto *bar = new QScrollBar(Qt::Vertical, this);
    bar->setAccessibleName(tr("Clusters shown by the picture"));
    bar->setFocusPolicy(Qt::NoFocus);
    row->addWidget(bar);
    column->addLayout(row, 3);
    column->addWidget(m_table, 2);
    connect(m_panel, &PicturePanel::saveRequested, this, &HealthPane::saveRequested);
    connect(bar, &QScrollBar::valueChanged, m_strips, &HealthStrips::setFirstRow);
    connect(m_strips, &HealthStrips::rowsChanged, bar, [this, bar] {
        const QSignalBlocker quiet(bar);
        bar->setRange(0, std::max(0, static_cast<int>(m_strips->strips().size()) - m_strips->rows()));
        bar->setPageStep(m_strips->rows());
        bar->setValue(m_strips->firstRow());
        bar->setVisible(bar->maximum() > 0);
    });
    m_panel->choose(1h);
}

void HealthPane::show(const std::vector<std::pair<patroni::ClusterKey, QString>> &clusters, Now now)
{
    std::vector<HealthStrip> strips;
    strips.reserve(clusters.size());
    for (const auto &[key, name] : clusters) {
        const ClusterTrail *trail = m_trails ? m_trails->find(key) : nullptr;
        strips.push_back({key, name, trail ? healthSpans(*trail, now) : std::vector<HealthSpan>()});
    }
    m_panel->setSubject(tr("%n cluster(s)", nullptr, static_cast<int>(clusters.size())));
    m_strips->show(std::move(strips), now.wall);
    m_table->set(rowsOf(m_strips->strips()));
}

} // namespace switchyard::views
