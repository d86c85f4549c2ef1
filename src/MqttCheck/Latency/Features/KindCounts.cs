using System.Runtime.CompilerServices;
using MqttCheck.Clients;

namespace MqttCheck.Latency.Features;

/// <summary>One count per <see cref="MessageKind"/>, indexed by kind, without allocation.</summary>
[InlineArray(MessageKinds.Count)]
public struct KindCounts
{
    private int _first;
}
