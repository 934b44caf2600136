// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands against a request, worst first, one line each with its shape; or that nothing does.
#include "models/rules/preflight.h"

#include <QWidget>

class QVBoxLayout;

namespace switchyard::views {

struct ShownProblem
{
    rules::Severity severity{};
    QString text;
    bool operator==(const ShownProblem &) const = default;
};

class ProblemList : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemList(QWidget *parent = nullptr);
    void show(const QList<ShownProblem> &problems);
    QString text() const; // all lines

private:
    QVBoxLayout *m_column;
    std::optional<QList<ShownProblem>> m_shown;
};

} // namespace switchyard::views
