// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened to this cluster: requests with their fate, and transitions of leadership. Newest first.
#include "models/store/record_key.h"

#include <QTableWidget>

namespace switchyard::views {

// A table of ready texts that is only touched where it differs.
class LogTable : public QTableWidget
{
    Q_OBJECT
public:
    LogTable(const QString &name, const QStringList &headers, const QString &emptyText, QWidget *parent = nullptr);

protected:
    struct Line
    {
        QStringList cells;
        QString toolTip;
        RecordKey record;
        bool operator==(const Line &) const = default;
    };
    void setLines(QList<Line> lines);
    void setNumberColumns(QList<int> columns) { m_numbers = std::move(columns); }
    void setElasticColumns(QList<int> columns) { m_elastic = std::move(columns); }
    QSize sizeHint() const override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void fit();

    QString m_emptyText;
    QList<Line> m_lines;
    QList<int> m_numbers, m_elastic;
};

class RequestsTable : public LogTable
{
    Q_OBJECT
public:
    explicit RequestsTable(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster, Now now);
};

class TransitionsTable : public LogTable
{
    Q_OBJECT
public:
    explicit TransitionsTable(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster);

private:
    void openDossier(int row);
    QStringList m_names; // of the transitions, as rows
};

} // namespace switchyard::views
