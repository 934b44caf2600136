// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/config_view.h"

#include "models/items/roles.h"
#include "views/secrets.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/words.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTreeWidgetItemIterator>

#include <array>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct Default
{
    const char *key, *value, *unit;
};
// patroni/global_config.py and docs/dynamic_configuration.rst, 4.1
constexpr std::array<Default, 15> defaults{{
    {"ttl", "30", "s"},
    {"loop_wait", "10", "s"},
    {"retry_timeout", "10", "s"},
    {"maximum_lag_on_failover", "1048576", "bytes"},
    {"maximum_lag_on_syncnode", "-1", "bytes"},
    {"max_timelines_history", "0", ""},
    {"primary_start_timeout", "300", "s"},
    {"primary_stop_timeout", "0", "s"},
    {"synchronous_mode", "false", ""},
    {"synchronous_mode_strict", "false", ""},
    {"synchronous_node_count", "1", ""},
    {"failsafe_mode", "false", ""},
    {"check_timeline", "false", ""},
    {"member_slots_ttl", "1800", "s"},
    {"pause", "false", ""},
}};

const Default *defaultOf(const QString &key)
{
    const auto it = std::find_if(defaults.begin(), defaults.end(), [&](const Default &d) { return key == QLatin1StringView(d.key); });
    return it == defaults.end() ? nullptr : it;
}

QString scalar(const QString &key, const QJsonValue &value)
{
    if (isSecretKey(key) && !value.isNull())
        return shownValue(key, u"set"_s); // whatever it is
    switch (value.type()) {
    case QJsonValue::Bool: return value.toBool() ? u"true"_s : u"false"_s;
    case QJsonValue::Null: return u"null"_s;
    case QJsonValue::String: return shownValue(key, value.toString());
    case QJsonValue::Double: return value.toVariant().toString(); // whole numbers stay exact up to 64 bits
    default: return {};
    }
}

void addValue(QTreeWidgetItem *parent, const QString &key, const QJsonValue &value);

void addChildren(QTreeWidgetItem *item, const QString &key, const QJsonValue &value)
{
    if (isSecretKey(key))
        return;
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            addValue(item, it.key(), it.value());
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i)
            addValue(item, u"[%1]"_s.arg(i), array.at(i));
    }
}

void addValue(QTreeWidgetItem *parent, const QString &key, const QJsonValue &value)
{
    auto *item = new QTreeWidgetItem(parent, {key, scalar(key, value)});
    addChildren(item, key, value);
}

QString noteFor(const QString &key, const QString &value)
{
    const Default *d = defaultOf(key);
    if (!d)
        return {};
    const QString standard = QLatin1StringView(d->value), unit = QLatin1StringView(d->unit);
    const QString shown = unit.isEmpty() ? standard : standard + u' ' + unit;
    return value == standard ? ConfigView::tr("set to the default") : ConfigView::tr("default %1").arg(shown);
}

QString withUnit(const QString &key, const QString &value)
{
    const Default *d = defaultOf(key);
    bool number = false;
    value.toLongLong(&number);
    return d && *d->unit && number ? value + u' ' + QLatin1StringView(d->unit) : value;
}

} // namespace

ConfigView::ConfigView(QWidget *parent)
    : QTreeWidget(parent)
{
    setColumnCount(3);
    setHeaderLabels({tr("Setting"), tr("Value"), tr("Note")});
    setUniformRowHeights(true);
    setItemDelegate(new CellDelegate(this));
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Dynamic configuration"));
    setEditTriggers(NoEditTriggers);
    header()->setStretchLastSection(true);
}

QSize ConfigView::sizeHint() const
{
    return {60 * grid, 20 * grid};
}

void ConfigView::show(const patroni::Cluster &cluster)
{
    const std::string raw = cluster.config && cluster.config->config.present ? cluster.config->config.raw : std::string();
    const bool stale = cluster.view.freshness != patroni::Freshness::Live;
    if (m_shown == raw && m_stale == stale)
        return;
    m_shown = raw;
    m_stale = stale;
    fill(raw);
    for (QTreeWidgetItemIterator it(this); *it; ++it)
        for (int column = 0; column < columnCount(); ++column)
            (*it)->setData(column, items::StaleRole, stale);
}

void ConfigView::fill(const std::string &raw)
{
    clear();
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(raw));
    if (!document.isObject()) {
        new QTreeWidgetItem(this, {tr("No readable dynamic configuration"), unknownText(), tr("Patroni keeps the settings it knew last")});
        setColumnWidth(0, 40 * grid);
        return;
    }
    const QJsonObject object = document.object();
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString value = scalar(it.key(), it.value());
        auto *item = new QTreeWidgetItem(this, {it.key(), withUnit(it.key(), value), noteFor(it.key(), value)});
        item->setData(2, SecondaryRole, true);
        addChildren(item, it.key(), it.value());
    }
    for (const auto &d : defaults) {
        const QString key = QLatin1StringView(d.key);
        if (object.contains(key))
            continue;
        auto *item = new QTreeWidgetItem(this, {key, withUnit(key, QLatin1StringView(d.value)), tr("default, not set")});
        for (int column = 0; column < 3; ++column)
            item->setData(column, SecondaryRole, true);
    }
    expandAll();
    for (int column = 0; column < 2; ++column)
        setColumnWidth(column, qBound(20 * grid, sizeHintForColumn(column) + 2 * grid, 45 * grid));
}

} // namespace switchyard::views
