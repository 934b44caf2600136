// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of contexts: favourites first whichever way it is sorted, a star and a colour mark to click, columns that fit.
#include "views/widgets/cell_delegate.h"
#include "views/widgets/contexts_words.h"
#include "views/widgets/filter_proxy.h"

#include <QTableView>

namespace switchyard::views {

class ContextsProxy : public FilterProxy
{
    Q_OBJECT
public:
    using FilterProxy::FilterProxy;

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
};

class ContextMarkDelegate : public CellDelegate
{
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

class ContextTable : public QTableView
{
    Q_OBJECT
public:
    explicit ContextTable(items::ContextsModel *contexts, QWidget *parent = nullptr);
    ContextsProxy *proxy() const { return m_proxy; }
    const items::ContextRow *rowAt(const QModelIndex &index) const; // of the proxy
    std::vector<const items::ContextRow *> chosen() const;          // selected rows, top first
    void fitColumns();
    void measure(); // by header and the rows in view: hundreds of rows are not asked

Q_SIGNALS:
    void starClicked(const QString &name, bool favourite); // what it shall be
    void chosenChanged();

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;

private:
    items::ContextsModel *m_contexts;
    ContextsWords *m_words;
    ContextsProxy *m_proxy;
    std::array<int, items::ContextsModel::ColumnCount> m_ideal{};
    bool m_fitting = false, m_resizedByUser = false;
};

} // namespace switchyard::views
