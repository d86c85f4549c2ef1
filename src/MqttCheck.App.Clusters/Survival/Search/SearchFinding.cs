namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>A schedule that lost something, and the smallest one that was made of it.</summary>
/// <param name="First">The schedule as it was drawn.</param>
/// <param name="FirstShare">Its share of runs with a loss, when it was repeated.</param>
/// <param name="Smallest">The smallest schedule.</param>
/// <param name="SmallestShare">Its share.</param>
/// <param name="IsSmallest">Whether it cannot be made smaller; otherwise time was over.</param>
internal sealed record SearchFinding(
    SearchSchedule First,
    ScheduleShare FirstShare,
    SearchSchedule Smallest,
    ScheduleShare SmallestShare,
    bool IsSmallest
);
