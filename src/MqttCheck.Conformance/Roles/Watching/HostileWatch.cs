using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Watches whether a client ends the connection for a packet that breaks a rule.</summary>
internal sealed class HostileWatch(ClientJudgements judgements)
{
    public const string Key = "hostile";

    /// <summary>The broker sent a hostile packet.</summary>
    public void Sent(WatchedConnection connection, string name, long nanoseconds)
    {
        (connection.MayEnd, connection.IsMisled) = (true, true);
        judgements.SettleAll(connection);
        judgements.Owe(
            new(
                connection.IsV5 ? ClientStatements.MalformedDetected : ClientStatements.Malformed,
                name,
                Invariant($"the client gets a packet with the defect '{name}', and goes on")
            )
            {
                Connection = connection,
                Key = Key,
                SinceNanoseconds = nanoseconds,
            }
        );
    }
}
