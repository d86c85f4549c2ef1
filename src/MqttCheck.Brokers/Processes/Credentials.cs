namespace MqttCheck.Brokers.Processes;

/// <summary>User name and password. Printing it shows neither.</summary>
/// <param name="UserName">The user name.</param>
/// <param name="Password">The password, may be empty.</param>
public sealed record Credentials(string UserName, string Password)
{
    /// <summary>A placeholder: credentials never reach a log, a report or a command line.</summary>
    public override string ToString() => "(credentials)";
}
