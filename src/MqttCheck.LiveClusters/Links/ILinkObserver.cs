namespace MqttCheck.LiveClusters.Links;

/// <summary>Is told of the publications on links whose streams are MQTT. Called on the relays' thread.</summary>
internal interface ILinkObserver
{
    /// <summary>A node has opened a connection of MQTT to another one.</summary>
    /// <param name="from">The node that opened it.</param>
    /// <param name="to">The other one.</param>
    /// <param name="nanoseconds">When its first packet came.</param>
    void Opened(int from, int to, long nanoseconds);

    /// <summary>A publication has entered a directed link.</summary>
    /// <param name="from">The node at the beginning of the link.</param>
    /// <param name="to">The node at its end.</param>
    /// <param name="publication">The publication; valid only during the call.</param>
    void Entered(int from, int to, in LinkPublication publication);

    /// <summary>A publication has left a directed link, and was handed to the node at its end.</summary>
    /// <param name="from">The node at the beginning of the link.</param>
    /// <param name="to">The node at its end.</param>
    /// <param name="publication">The publication; valid only during the call.</param>
    void Left(int from, int to, in LinkPublication publication);
}
