// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asking the API server what the account may do: SelfSubjectAccessReview for one right, SelfSubjectReview for its name.
#include "app/kube/client.h"

namespace switchyard::kube {

struct AccessQuestion
{
    std::string verb, group, resource; // "pods/proxy": a subresource
    std::string ns;                    // empty: all namespaces
    std::string name;                  // empty: any
};

// Neither allowed nor denied is known where `allowed` is empty: `reason` says why.
struct AccessAnswer
{
    std::optional<bool> allowed;
    std::string reason;         // the server's words
    std::optional<Error> error; // the review itself was not answered
};

QByteArray accessReviewBody(const AccessQuestion &question);
AccessAnswer readAccessReview(const Response &response);

QByteArray selfReviewBody();
// The account's name as the API server knows it; empty: it does not tell (before Kubernetes 1.28, or not permitted).
QString readSelfReview(const Response &response);

// Where they are sent to, with Client::ask.
QString accessReviewPath();
QString selfReviewPath();

} // namespace switchyard::kube
