using MqttCheck.Profiles;

namespace MqttCheck.Server.Questions;

/// <summary>One of the cases that the page compares.</summary>
/// <param name="Model">The model of the broker.</param>
/// <param name="Profile">The usage profiles of the clients.</param>
/// <param name="Clients">How many there are.</param>
internal sealed record WhatIfScenario(ServedModel Model, ProfileDocument Profile, int Clients)
{
    /// <summary>The usage profiles of the clients.</summary>
    public Population Population => Profile.Population;
}
