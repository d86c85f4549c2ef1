namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A place between clients and a broker where something goes wrong.</summary>
internal interface IPlantPlace
{
    /// <summary>The plant at this place.</summary>
    Plant Plant { get; }

    /// <summary>The connections of all clients.</summary>
    IReadOnlyList<PlantLine> Lines { get; }

    /// <summary>Does something a while later, when other messages have passed.</summary>
    void Later(Action act);
}
