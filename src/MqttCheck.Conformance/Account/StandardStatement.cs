using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Account;

/// <summary>A numbered statement of a version of the standard, in our words, and how it stands with it.</summary>
/// <param name="Version">The version: 3.1.1 or 5.</param>
/// <param name="Number">Its number, such as <c>3.1.2-24</c>.</param>
/// <param name="Owner">The side that owes it.</param>
/// <param name="JudgedBy">The statements of ours by which it is judged; of a client's duty, what the server does about
/// clients that fail in it.</param>
/// <param name="Standing">Whether it is exercised.</param>
/// <param name="WhyNot">The reason why it is not exercised; empty if it is, and for clients' duties.</param>
/// <param name="Demand">The demand, one sentence.</param>
internal sealed record StandardStatement(
    ProtocolVersion Version,
    string Number,
    Duty Owner,
    ValueList<JudgedBy> JudgedBy,
    Standing Standing,
    string WhyNot,
    string Demand
)
{
    /// <summary>Its number as the standard writes it.</summary>
    public string Id => $"MQTT-{Number}";

    /// <summary>
    /// How often it was judged: as often as that one of the statements of ours that was judged least.
    /// </summary>
    public long Judged(JudgementTally tally) => JudgedBy.Count == 0 ? 0 : JudgedBy.Min(by => tally.Times(Version, by));
}

/// <summary>The side that owes what a statement demands.</summary>
internal enum Duty : byte
{
    Server,
    Client,
    Both,
}

/// <summary>Whether scenarios exercise a statement.</summary>
internal enum Standing : byte
{
    /// <summary>Scenarios exercise it, and a judge judges it.</summary>
    Exercised,

    /// <summary>It is the duty of clients, which are the check itself.</summary>
    OfClients,

    /// <summary>It needs a broker that is set up for it.</summary>
    NeedsSetUp,

    /// <summary>No client can see it.</summary>
    Hidden,

    /// <summary>A server's duty that clients can see, and that no scenario exercises yet.</summary>
    Open,
}
