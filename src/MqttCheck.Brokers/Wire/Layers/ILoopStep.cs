namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>What a loop calls at fixed places of its round: a connection, or a layer on one.</summary>
internal interface ILoopStep
{
    /// <summary>Hands what is queued on, once.</summary>
    void Flush();

    /// <summary>Offers the handler again what it left before it paused.</summary>
    void DeliverAgain();
}
