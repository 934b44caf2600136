// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the account of a context may do, what a missing right disables, and a Role to ask for.
#include "models/items/permissions_model.h"

#include <QWidget>

#include <memory>

namespace switchyard::views {

class PermissionsPage : public QWidget
{
    Q_OBJECT
public:
    explicit PermissionsPage(QWidget *parent = nullptr);
    ~PermissionsPage() override;
    void setRights(const std::vector<items::ContextRights> &rights);
    void setReplay(bool replay); // nobody is there to be asked
    void choose(const QString &context);
    void tick(Now now);
    void focusTable();

Q_SIGNALS:
    void saveRequested(const QString &file, const QString &text);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
