using System.Diagnostics;
using System.Net;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Rights;

/// <summary>A denial of a broker to a client that does what the clients of a load would do.</summary>
/// <param name="Address">The node.</param>
/// <param name="Answer">The answer of the broker, as the rest of a sentence that begins with it.</param>
/// <param name="Kind">Its subject.</param>
internal sealed record RightsDenial(IPEndPoint Address, string Answer, DeniedRight Kind)
{
    /// <summary>Whether the broker ended the connection, which it may also do for another reason.</summary>
    public bool IsCut { get; init; }

    /// <summary>Whether the broker did not answer at all, which a broker that does not work does too.</summary>
    public bool IsSilence { get; init; }

    /// <summary>The denial, in sentences.</summary>
    /// <param name="used">The topics that clients are going to use.</param>
    public string Found(UsedTopics used)
    {
        var who = used.Credentials is null ? "a client without a user name" : "a client with the given user name";
        return $"The broker at {Address} {Answer}. "
            + $"It was asked by {who}, over MQTT {BrokerVersions.Name(used.Version)}.";
    }

    /// <summary>The denial and the next step, for people.</summary>
    /// <param name="used">The topics that clients are going to use.</param>
    public string Describe(UsedTopics used)
    {
        var load = used.IsAfterLoad ? "It was asked after the runs, which count for nothing." : "No load was sent.";
        return $"{Found(used)} {load} {NextStep(used)}";
    }

    private string NextStep(UsedTopics used) =>
        Kind switch
        {
            DeniedRight.QualityOfService =>
                "Use a lower QoS (\"qos\" of the profile, --qos of bench), or raise the limit of the broker "
                    + "(max_qos).",
            DeniedRight.Retained =>
                "Leave out \"retain\" in the profile, or let the broker keep messages (retain_available).",
            DeniedRight.Topic => Topics(used),
            _ => throw new UnreachableException(),
        };

    private static string Topics(UsedTopics used)
    {
        var user = used.Credentials is null ? "log in (--user)" : "log in as another user (--user)";
        var allow = $"allow the topics in the broker's access list (topic readwrite {used.Everything})";
        return used.AreNamed
            ? $"The topics are those that were written: name others, {allow}, or {user}."
            : "Give a beginning of topics that the broker allows "
                + $"(--topic-prefix plant/, or {PrefixedBroker.Variable}), {allow}, or {user}.";
    }
}
