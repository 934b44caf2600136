// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The four objects of a cluster as they are: raw annotations, to read and to copy.
#include "models/patroni/cluster.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace switchyard::views {

// Pure: one object as text, or why there is none.
QString objectText(const patroni::Cluster &cluster, const std::string &role);

class ObjectsView : public QWidget
{
    Q_OBJECT
public:
    explicit ObjectsView(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster);
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    QPlainTextEdit *m_text;
    QPushButton *m_copy;
};

} // namespace switchyard::views
