namespace MqttCheck.Conformance.Scenarios;

/// <summary>One line of a scenario.</summary>
/// <param name="Client">Which client, from 0.</param>
/// <param name="Command">The command of the client.</param>
/// <param name="Concurrent">Whether it is done without waiting for what the line before it causes: then both are under
/// way at once.</param>
public sealed record Step(int Client, Command Command, bool Concurrent = false)
{
    /// <summary>Whether it is done without waiting for what the line before it causes.</summary>
    /// <param name="last">The line before it.</param>
    internal bool GoesWith(Step last)
    {
        return Concurrent
            || (
                last.Command.WithNext
                && last.Client == Client
                && Command
                    is PublishCommand
                        or SubscribeCommand
                        or UnsubscribeCommand
                        or PingCommand
                        or DisconnectCommand
                        or DropCommand
            );
    }

    /// <summary>The line, for example <c>&amp; B publish ~/a qos=1</c>.</summary>
    public override string ToString() => $"{(Concurrent ? "& " : "")}{(char)('A' + Client)} {Command}";
}
