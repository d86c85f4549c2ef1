namespace MqttCheck.App.Check;

/// <summary>A line of the table of statements.</summary>
/// <param name="In311">Its number in MQTT 3.1.1, empty if there is none.</param>
/// <param name="In5">Its number in MQTT 5, empty if there is none.</param>
/// <param name="Remark">Why it was not exercised, or empty.</param>
internal sealed record CheckedStatement(
    string Name,
    string In311,
    string In5,
    string Class,
    long Judged,
    int Findings,
    string Remark
);
