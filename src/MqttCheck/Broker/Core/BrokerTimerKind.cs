namespace MqttCheck.Broker.Core;

/// <summary>The event that takes place when a timer of the broker is due.</summary>
internal enum BrokerTimerKind : byte
{
    /// <summary>A connection has been silent for too long, or must be looked at again.</summary>
    Silence,

    /// <summary>A session without connection ends.</summary>
    SessionExpiry,

    /// <summary>A delayed will is published.</summary>
    WillDelay,

    /// <summary>A delivery that was held back to be overtaken goes out.</summary>
    HeldDelivery,

    /// <summary>Retained messages of new subscriptions are looked up further.</summary>
    RetainedTurn,

    /// <summary>Packets that are sent late go out.</summary>
    LateDelivery,
}
