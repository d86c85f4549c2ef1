using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>A statement of the standard that a broker can be seen to keep or to violate.</summary>
/// <param name="Name">A short name of its own, the same for both versions, such as <c>delivery-qos</c>.</param>
/// <param name="In311">Its number in MQTT 3.1.1 (<c>3.8.4-6</c>), or the section of a rule without a number
/// (<c>3.9.3</c>); null if the version has no such rule.</param>
/// <param name="In5">The same in MQTT 5.</param>
/// <param name="Class">How binding it is.</param>
/// <param name="Text">The demand, in one sentence.</param>
/// <param name="WhyNotExercised">Why no scenario exercises it; null if scenarios do.</param>
public sealed record Statement(
    string Name,
    string? In311,
    string? In5,
    StatementClass Class,
    string Text,
    string? WhyNotExercised = null
)
{
    /// <summary>Whether the version has the rule.</summary>
    /// <param name="version">The protocol version.</param>
    public bool AppliesTo(ProtocolVersion version) => Number(version) is not null;

    /// <summary><c>MQTT-3.8.4-6</c> or <c>section 3.9.3</c>.</summary>
    /// <param name="version">A protocol version that has the rule; for another, the number of the other version
    /// stands.</param>
    public string Id(ProtocolVersion version)
    {
        var number = Number(version) ?? In311 ?? In5 ?? "";
        return number.Contains('-', StringComparison.Ordinal) ? "MQTT-" + number : "section " + number;
    }

    private string? Number(ProtocolVersion version) => version == ProtocolVersion.V5 ? In5 : In311;
}

/// <summary>How binding a statement of the standard is.</summary>
public enum StatementClass : byte
{
    /// <summary>The standard says MUST or MUST NOT.</summary>
    Must,

    /// <summary>The standard recommends it.</summary>
    Should,

    /// <summary>The standard leaves it to the implementation.</summary>
    Option,

    /// <summary>It follows from how the broker is set up.</summary>
    Configuration,
}
