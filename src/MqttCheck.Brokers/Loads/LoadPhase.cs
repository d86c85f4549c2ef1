namespace MqttCheck.Brokers.Loads;

/// <summary>The phase of a load.</summary>
internal enum LoadPhase : byte
{
    /// <summary>Clients connect and subscribe.</summary>
    Connecting,

    /// <summary>Messages are sent; the first of them may be warm-up.</summary>
    Sending,

    /// <summary>Nothing new is due; messages under way still arrive.</summary>
    Draining,

    /// <summary>Sessions are dropped.</summary>
    Leaving,

    /// <summary>It is over.</summary>
    Over,
}
