namespace MqttCheck.App.Clusters.Survival;

/// <summary>The verdict on a cell of the table.</summary>
internal enum SurvivalVerdict
{
    /// <summary>Nothing was lost in any of its runs.</summary>
    Survives,

    /// <summary>Something was lost.</summary>
    Lost,

    /// <summary>The system promises nothing there, so that there is nothing to lose.</summary>
    NotPromised,

    /// <summary>It can be lost, and this machine, or this cluster as it is started, cannot show it.</summary>
    NotTried,

    /// <summary>No run of it has ended, or none could show it.</summary>
    Undecided,
}
