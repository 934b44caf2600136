// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "object_texts.h"

namespace texts {

using namespace std::string_literals;

const std::string endpoints =
    R"({"kind":"Endpoints","apiVersion":"v1","metadata":{"name":"acme","namespace":"db","uid":"u-1","resourceVersion":"90417",
 "creationTimestamp":"2031-02-01T06:00:11Z","labels":{"application":"patroni"},"annotations":{"leader":"acme-1","ttl":"30","odd":7,"none":null,
 "history":"[[1,2,\"a\u00e9\ud83d\ude00\/\"]]\n"},"ownerReferences":[{"kind":"Pod","name":"p","uid":"u-2","x":[]},7],"managedFields":[{"f":{"a":
 [{},[],-0,1.50,true,false,null]}}]},"subsets":[{"addresses":[{"ip":"10.9.0.14","targetRef":{"kind":"Pod","name":"acme-1"}},{"ip":"fd00::1"},7]}]})"s;
const std::string pod =
    R"({"metadata":{"name":"acme-1","labels":{"role":"replica"},"deletionTimestamp":"2031-02-01T06:00:11Z"},"spec":{"nodeName":"n",
 "containers":[{"name":"a"}]},"status":{"phase":"Running","reason":"","podIP":"10.0.0.1","conditions":[{"type":"Ready","status":"Maybe"},
 {"type":"Ready","status":"False"}],"containerStatuses":[{"restartCount":2,"state":{"terminated":{"reason":"Error"},"waiting":{}}},{"name":"a","restartCount":
 1,"state":{"running":{"startedAt":"x"}},"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2031-02-01T06:00:11Z"}}},{"restartCount":"3"}]}})"s;
const std::string event =
    R"({"kind":"Event","metadata":{"name":"acme-1.1","namespace":"db"},"involvedObject":{"kind":"Pod","name":"acme-1","uid":"u-1"},
 "reason":"OOMKilling","message":"m","type":"Warning","source":{"component":"kubelet","host":"n"},"firstTimestamp":"2031-02-01T06:00:11Z",
 "lastTimestamp":null,"count":3,"eventTime":null,"series":{"count":2,"lastObservedTime":"2031-02-01T06:00:12Z"},"reportingComponent":""})"s;
const std::string list = R"({"kind":"PodList","metadata":{"resourceVersion":"90","continue":"next"},"items":[)"s + pod
    + R"(,{"metadata":{}},)" + pod + R"(,7,{"kind":"Status","code":500}]})";
const std::string watchEvent = R"({"type":"MODIFIED","object":)"s + endpoints + "}";

const std::string metadataOnly =
    R"({"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"7"},"items":[{"kind":"PartialObjectMetadata",
 "metadata":{"name":"a","annotations":{"leader":"x"}}}]})";
const std::string unnamedAmongNamed = R"({"items":[{"metadata":{"name":"a"}},{"metadata":{}},{"metadata":{"name":"b"}}]})";

} // namespace texts
