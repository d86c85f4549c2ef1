namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>A connection, or a layer on one, that the loop calls at fixed places of its round.</summary>
internal interface ILoopStep
{
    /// <summary>Hands on the queued bytes, once.</summary>
    void Flush();

    /// <summary>Offers the handler again the bytes that it left before it paused.</summary>
    void DeliverAgain();
}
