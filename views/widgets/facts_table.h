// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table beside a picture: words over FactsModel, sorted by the values.
#include "models/items/facts_model.h"
#include "views/widgets/words_presenter.h"

#include <QTableView>

namespace switchyard::views {

enum class FactKind {
    Word,    // text as it is
    Time,    // qint64 microseconds: to the millisecond, UTC in the tooltip
    End,     // as Time; unknown: it goes on
    Length,  // qint64 microseconds
    Seconds, // double
    Bytes,   // quint64, exact in the tooltip
    Number   // qint64
};

struct FactColumn
{
    QString title;
    FactKind kind{};
    bool elastic = false;
    QString none{}; // why a cell that is no word has nothing to show: an empty text, as opposed to an unknown value
};

class FactsPresenter : public WordsPresenter
{
    Q_OBJECT
public:
    FactsPresenter(items::FactsModel *model, QList<FactColumn> columns, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const QVariant &raw, FactKind kind) const;
    QString toolTip(const QVariant &raw, const FactColumn &column) const;
    QList<FactColumn> m_columns;
};

class FactsTable : public QTableView
{
    Q_OBJECT
public:
    FactsTable(const QString &name, const QList<FactColumn> &columns, const QString &emptyText, QWidget *parent = nullptr);
    void set(QList<items::FactRow> rows);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    items::FactsModel m_model;
    FactsPresenter m_presenter;
    QList<int> m_elastic;
    QString m_empty;
    bool m_fitted = false;
};

} // namespace switchyard::views
