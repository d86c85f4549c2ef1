using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Populations;

/// <summary>Clients of a made-up capture that do the same. <c>{0}</c> in a topic is a client's name.</summary>
internal sealed record RunGroup(string Name, int Clients)
{
    public string? Topic { get; init; }

    public Law Every { get; init; } = new ConstantLaw(500);

    public int SmallestBytes { get; init; } = 20;

    public int LargestBytes { get; init; } = 20;

    public int Qos { get; init; }

    public bool IsRetained { get; init; }

    public string[] Filters { get; init; } = [];

    public int KeepAliveSeconds { get; init; } = 60;

    public bool IsClean { get; init; } = true;

    /// <summary>The topic of a retained message after each CONNACK, and of a will; null without them.</summary>
    public string? Birth { get; init; }

    /// <summary>How many messages a connection has, and how long a client is away; null if it stays.</summary>
    public (int Messages, Law Away)? Visits { get; init; }

    /// <summary>Whether it publishes at the same times as the others.</summary>
    public bool IsSimultaneous { get; init; }

    /// <summary>Answers each message it receives after 5 ms, to this topic with the name of the sender.</summary>
    public string? Answer { get; init; }
}
