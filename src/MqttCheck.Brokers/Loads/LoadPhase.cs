namespace MqttCheck.Brokers.Loads;

/// <summary>Where a load is.</summary>
public enum LoadPhase : byte
{
    /// <summary>Clients connect and subscribe.</summary>
    Connecting,

    /// <summary>Messages are sent; the first of them may be warm-up.</summary>
    Sending,

    /// <summary>Nothing new is due; what is under way arrives.</summary>
    Draining,

    /// <summary>Sessions are dropped.</summary>
    Leaving,

    /// <summary>It is over.</summary>
    Over,
}
