using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <summary>A test case: what several clients do, in which order, and what of it at once.</summary>
/// <param name="Version">The protocol version of all clients.</param>
/// <param name="Steps">The lines.</param>
public sealed record Scenario(ProtocolVersion Version, ValueList<Step> Steps)
{
    /// <summary>The most clients that a scenario may have: A .. H.</summary>
    public const int MaximumClients = 8;

    /// <summary>How many clients it has.</summary>
    public int Clients { get; } = Steps.Count == 0 ? 0 : Steps.Max(step => step.Client) + 1;

    /// <summary>The lines, joined by <c>; </c>; <see cref="ScenarioText.Parse"/> reads it.</summary>
    public override string ToString() => string.Join("; ", Steps);
}
