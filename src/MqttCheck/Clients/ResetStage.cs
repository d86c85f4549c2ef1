namespace MqttCheck.Clients;

/// <summary>The next step of a client in the reset between two sequences.</summary>
public enum ResetStage : byte
{
    /// <summary>Not resetting: inside a sequence.</summary>
    None,

    /// <summary>Next: end the connection that the sequence left open.</summary>
    Leave,

    /// <summary>Next: connect with a clean session, which drops the old one.</summary>
    CleanConnect,

    /// <summary>Next: disconnect again.</summary>
    Disconnect,
}
