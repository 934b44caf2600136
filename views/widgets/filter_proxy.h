// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sorts by SortRole with unknown last in either direction, filters by words of the filter box (all must occur) and by place.
#include <QSortFilterProxyModel>
#include <QStringList>

namespace switchyard::views {

class FilterProxy : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit FilterProxy(QObject *parent = nullptr);
    void setWords(const QString &text);
    void setPlace(const QString &context, const QString &ns); // empty: any
    void setCode(int column, const QString &code);            // only rows whose CodeRole in that column is `code`; empty: any
    QString place() const;
    bool filters() const { return !m_words.isEmpty() || !m_context.isEmpty() || !m_code.isEmpty(); }

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    void refilter();

    QStringList m_words;
    QString m_context, m_ns, m_code;
    int m_codeColumn = 0;
};

} // namespace switchyard::views
