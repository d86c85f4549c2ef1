using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Nobody does anything for a while: intervals of keep alive, expiry and delay pass.</summary>
/// <param name="Milliseconds">How long, in milliseconds.</param>
internal sealed record WaitCommand(int Milliseconds) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => null;

    /// <summary>The longest wait, in milliseconds.</summary>
    public const int Longest = 60_000;
}
